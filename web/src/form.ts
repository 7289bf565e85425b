// In: the file, the answer or the instruction. Out: the edit that they ask for, and what is missing in it.

import { EditorView, keymap } from "@codemirror/view";
import { find, make } from "./dom";
import { TextEditor } from "./editors";
import { EXAMPLES } from "./examples";
import { read, takesFiles } from "./files";

export type Kind = "answer" | "instruction";

/** What is missing, and where it can be put in. */
export class MissingError extends Error {
  constructor(
    message: string,
    readonly focus: () => void,
  ) {
    super(message);
  }
}

export interface Asked {
  kind: Kind;
  body: { original: string; path: string } & Record<string, unknown>;
  /** Of an instructed edit. */
  lines: [number, number];
}

export class Form {
  readonly file: TextEditor;
  readonly answer: TextEditor;
  kind: Kind = "answer";
  private readonly path = find<HTMLInputElement>("path");
  private readonly instruction = find<HTMLTextAreaElement>("instruction");
  private readonly lines = [find<HTMLInputElement>("first"), find<HTMLInputElement>("last")] as const;

  constructor(
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
  ) {
    const ask = keymap.of([{ key: "Mod-k", run: () => this.instruct() }]);
    this.file = new TextEditor(find("file"), "File", "Paste a file, or drop one here", ask);
    this.answer = new TextEditor(
      find("answer"),
      "Chat answer",
      "Paste what the chat model answered: code with “… existing code …”, a diff, or prose with blocks of code",
      EditorView.lineWrapping,
    );
    void this.answer.speak("answer.md");
    this.files();
    this.examples();
    this.tabs();
    this.path.addEventListener("change", () => void this.file.speak(this.path.value));
  }

  /** Raises `MissingError` where something is not there yet. */
  asked(): Asked {
    const [original, path] = [this.file.text, this.path.value.trim()];
    if (this.kind === "answer") {
      const update = this.answer.text;
      if (!update.trim())
        throw new MissingError("Paste what the chat model answered first", () => this.answer.view.focus());
      return { kind: "answer", body: { original, path, update }, lines: [0, 0] };
    }
    const instruction = this.instruction.value.trim();
    if (!original.trim()) throw new MissingError("Paste a file first", () => this.file.view.focus());
    if (!instruction) throw new MissingError("Say what to do with the lines", () => this.instruction.focus());
    const [first, last] = this.region();
    return { kind: "instruction", body: { original, path, instruction, first, last }, lines: [first, last] };
  }

  load(path: string, text: string): void {
    this.path.value = path;
    this.file.text = text;
    void this.file.speak(path);
    this.changed();
  }

  private region(): [number, number] {
    const [first, last] = this.lines.map((input) => input.valueAsNumber) as [number, number];
    const most = this.file.view.state.doc.lines;
    if (first >= 1 && last >= first && last <= most) return [first, last];
    throw new MissingError(`Say which lines, from 1 to ${most}`, () => this.lines[0].focus());
  }

  /** From a selection in the file to the words about it. */
  private instruct(): boolean {
    const { state } = this.file.view;
    const line = state.doc.lineAt(state.selection.main.head).number;
    const [first, last] = this.file.selectedLines ?? [line, line];
    this.lines[0].valueAsNumber = first;
    this.lines[1].valueAsNumber = last;
    this.choose("instruction");
    this.instruction.focus();
    return true;
  }

  private files(): void {
    takesFiles("file", async (file) => {
      try {
        this.load(file.name, await read(file));
      } catch (error) {
        this.failed(error);
      }
    });
    takesFiles("answer", async (file) => {
      try {
        this.answer.text = await read(file);
        this.choose("answer");
        this.changed();
      } catch (error) {
        this.failed(error);
      }
    });
  }

  private examples(): void {
    const menu = find<HTMLSelectElement>("example");
    EXAMPLES.forEach((example, number) => {
      const option = make("option", "", example.name);
      option.value = String(number);
      menu.append(option);
    });
    const show = () => {
      const example = EXAMPLES[Number(menu.value)];
      if (!menu.value || !example) return;
      this.choose("answer");
      this.answer.text = example.answer;
      this.load(example.path, example.file);
    };
    menu.addEventListener("change", show);
    find("try").addEventListener("click", () => {
      menu.value = "0";
      show();
      find("apply").focus();
    });
  }

  private tabs(): void {
    const kinds: Kind[] = ["answer", "instruction"];
    for (const kind of kinds) {
      const tab = find(`tab-${kind}`);
      tab.addEventListener("click", () => this.choose(kind));
      tab.addEventListener("keydown", (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        const other = kind === "answer" ? "instruction" : "answer";
        this.choose(other);
        find(`tab-${other}`).focus();
      });
    }
    this.choose("answer");
  }

  private choose(kind: Kind): void {
    this.kind = kind;
    for (const each of ["answer", "instruction"] as const) {
      const tab = find(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === kind));
      tab.tabIndex = each === kind ? 0 : -1;
      find(`panel-${each}`).hidden = each !== kind;
    }
    find("open-answer").hidden = kind !== "answer";
    find("race-choice").hidden = kind !== "answer";
  }
}
