"""What is shown in another form is no version of a line that it only resembles."""

from redraft.edit.request import Request
from redraft.reading import merged

MODEL = "class User < Base\n  has_many :posts\n  validates :email, presence: true\n\n  def a\n    1\n  end\nend\n"


def written(path: str, file: str, words: str, code: str) -> str | None:
    result = merged(Request(file, f"{words}\n\n```\n{code}```\n", "", path))
    return result.output if result.status == "applied" else None


def test_another_symbol_takes_no_line() -> None:
    code = "class User < Base\n  has_many :comments, dependent: :destroy\n\n  # ...\nend\n"
    assert "has_many :posts\n" in (written("user.rb", MODEL, "Add a relation:", code) or MODEL)


def test_a_prototype_with_an_arrow_is_no_body() -> None:
    file = "function on(call: () => void): void {\n  a();\n  b();\n  c();\n}\n"
    assert written("a.ts", file, "Here it is:", "declare function on(call: () => void): void;\n") is None
