// In: an element and what to call it. Out: an editor in it that looks like the page.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { languageOf } from "./languages";

const NONCE = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "0.8125rem", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--surface)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-placeholder": { color: "var(--faint)", whiteSpace: "pre-wrap" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)" },
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--syntax-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--syntax-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--syntax-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--syntax-comment)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: "var(--syntax-function)",
  },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.heading], color: "var(--syntax-type)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--syntax-property)" },
  { tag: tags.heading, fontWeight: "bold" },
  { tag: tags.link, textDecoration: "underline" },
]);

/** What all editors of the page share. */
export function look(label: string): Extension {
  return [
    EditorView.cspNonce.of(NONCE),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    EditorState.tabSize.of(4),
    lineNumbers(),
    drawSelection(),
    THEME,
    syntaxHighlighting(COLOURS),
  ];
}

/** An editor for one text; line ends other than newlines are kept as long as nothing is typed. */
export class TextEditor {
  readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly label: Extension;
  private raw = "";
  private rawDoc;

  constructor(parent: HTMLElement, label: string, hint: string, extra: Extension = []) {
    this.label = [look(label), placeholder(hint), extra];
    this.view = new EditorView({ parent, state: this.state("") });
    this.rawDoc = this.view.state.doc;
  }

  get text(): string {
    const { doc } = this.view.state;
    return doc.eq(this.rawDoc) ? this.raw : doc.sliceString(0, doc.length, this.usualEnd());
  }

  set text(text: string) {
    this.raw = text;
    this.view.setState(this.state(text));
    this.rawDoc = this.view.state.doc;
  }

  /** The first and the last line of the selection, counted from 1; null where nothing is selected. */
  get selectedLines(): [number, number] | null {
    const { main } = this.view.state.selection;
    if (main.empty) return null;
    const { doc } = this.view.state;
    const last = doc.lineAt(main.to);
    // A selection that ends before the first character of a line is not meant to have that line.
    const end = main.to === last.from ? last.number - 1 : last.number;
    return [doc.lineAt(main.from).number, end];
  }

  async speak(path: string): Promise<void> {
    const support = await languageOf(path);
    this.view.dispatch({ effects: this.language.reconfigure(support) });
  }

  private usualEnd(): string {
    return this.raw.includes("\r\n") ? "\r\n" : "\n";
  }

  private state(doc: string): EditorState {
    const kept = this.view ? this.language.get(this.view.state) : undefined;
    return EditorState.create({
      doc,
      extensions: [
        this.label,
        this.language.of(kept ?? []),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        // Tab is left to the page, so that nobody is caught in an editor.
        keymap.of([
          ...defaultKeymap.filter((each) => each.key !== "Mod-Enter"),
          ...historyKeymap,
          ...searchKeymap,
        ]),
      ],
    });
  }
}
