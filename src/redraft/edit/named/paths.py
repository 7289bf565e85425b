"""In: a name with a dot in it. Out: whether it can be that of a file, and not of a method or a field."""

from pathlib import PurePosixPath

from redraft.edit.outline.grammars import grammar

# No grammar reads these, and files have them.
_MORE = """
    adoc bat bicep cmd csv diff f90 gradle groovy in lock log patch po pot pug rst s sln snap styl tex tmpl tpl tsv txt
    v vb vhdl work
"""
# What methods, fields and modules are called, too, and what these are asked of.
_MEMBERS = """
    config conf desktop env h har in inc json lock log m make patch pl pm pom props properties r s sc service snap star
    t targets v work
"""
_RECEIVERS = """
    self this cls super process request req response res event app ctx context args kwargs obj object data result
    config console os sys module window document router server client user item items list array arr map np pd df
    requests json logging log math re time datetime path fs http string str
"""
_ALSO_FILES, _ALSO_MEMBERS, _ASKED = (frozenset(words.split()) for words in (_MORE, _MEMBERS, _RECEIVERS))


def can_be_file(name: str) -> bool:
    """Whether a name says by itself that it is a file's: by its folder, or by what it ends in."""
    path = PurePosixPath(name)
    if len(path.parts) > 1 or path.name.startswith(".") or "." not in path.name:
        return True
    ending = path.suffix[1:].lower()
    if ending in _ALSO_MEMBERS and (path.stem in _ASKED or path.stem[:1].isupper()):
        return False
    return bool(grammar(name)) or ending in _ALSO_FILES
