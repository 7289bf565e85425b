// In: what an edit came to, decided or written by the model. Out: its verdict, and the difference to take it from.

import type { Extension } from "@codemirror/state";
import { confidence, DiffView } from "./diff";
import { counted, find, make, seconds } from "./dom";
import { download } from "./files";
import type { Edited } from "./wire";

const VERDICTS: Record<string, string> = { applied: "Applied", no_change: "No change", error: "Error" };
/** What is surer than this is called applied; below it somebody has to look. */
const SURE = 0.5;
const DECIDED = { merge: "by the reader alone", ranking: "by reader and model", model: "by the model" };

type Choice = { name: string; edited: Edited };

export class ResultView {
  private readonly section = find("result");
  private readonly whose = find<HTMLSelectElement>("whose");
  private readonly diff = new DiffView(find("diff"), () => this.tell());
  private choices: Choice[] = [];
  private before = "";
  private path = "";
  private language: Extension = [];

  constructor(
    use: (text: string) => void,
    private readonly say: (text: string) => void,
  ) {
    this.whose.addEventListener("change", () => this.show(Number(this.whose.value)));
    find("take-all").addEventListener("click", () => this.diff.takeAll());
    find("leave-all").addEventListener("click", () => this.diff.take([]));
    find("next").addEventListener("click", () => this.diff.step(1));
    find("previous").addEventListener("click", () => this.diff.step(-1));
    find("copy").addEventListener("click", () => void this.copy());
    find("download").addEventListener("click", () => download(this.path, this.diff.text));
    find("use").addEventListener("click", () => use(this.diff.text));
  }

  hide(): void {
    this.choices = [];
    this.diff.clear();
    this.section.hidden = true;
  }

  step(by: 1 | -1): void {
    this.diff.step(by);
  }

  /** The first result of an edit on this file. */
  begin(before: string, path: string, language: Extension, edited: Edited): void {
    [this.before, this.path, this.language] = [before, path, language];
    this.choices = [];
    this.add("As decided", edited);
    this.show(0);
    this.section.hidden = false;
  }

  /** Another result of the same edit; what is shown stays. */
  add(name: string, edited: Edited): void {
    this.choices.push({ name, edited });
    this.whose.replaceChildren(
      ...this.choices.map((choice, number) => {
        const option = make("option", "", choice.name);
        option.value = String(number);
        return option;
      }),
    );
    this.whose.hidden = this.choices.length < 2;
  }

  private show(number: number): void {
    const edited = this.choices[number]?.edited;
    if (!edited) return;
    this.whose.value = String(number);
    const isAccepted = edited.status === "applied" || edited.status === "no_change";
    const verdict = find("verdict");
    const isSure = edited.status !== "applied" || (edited.confidence ?? 0) >= SURE;
    const said = VERDICTS[edited.status] ?? `Refused: ${edited.status.replaceAll("_", " ")}`;
    verdict.textContent = isSure ? said : "Not checked: look at it";
    verdict.className = `verdict ${!isAccepted ? "bad" : isSure ? "good" : "unsure"}`;
    const facts = find("decided");
    facts.replaceChildren(`${DECIDED[edited.decided_by]} in ${seconds(edited.seconds)}`);
    if (edited.confidence) facts.prepend(confidence(edited.confidence), " ");
    this.explain(edited, isAccepted);
    const isThere = edited.output !== null && edited.hunks.length > 0;
    find("hunks-bar").hidden = !isThere;
    find("diff").hidden = !isThere;
    if (isThere) this.diff.show(this.before, edited.output ?? "", edited.hunks, this.language, isAccepted);
    else this.diff.clear();
    this.tell();
  }

  private explain(edited: Edited, isAccepted: boolean): void {
    const message = find("message");
    const rest = edited.hunks.length
      ? " What would have been written stands below; nothing of it is taken."
      : "";
    const said = `${edited.message.charAt(0).toUpperCase()}${edited.message.slice(1)}`;
    const gone = edited.vanished.map((each) => each.line).join(", ");
    const lost = gone && ` Not shown in the answer, and gone: line ${gone}.`;
    const way = edited.way_on && ` To go on: ${edited.way_on}.`;
    message.textContent = (isAccepted ? said : `${said}.${rest}`) + lost + way;
    message.hidden = !message.textContent;
  }

  private tell(): void {
    find("taken").textContent = `${this.diff.taken.size} of ${counted(this.diff.size, "hunk")} taken`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.diff.text);
      this.say("Copied: the file with the hunks that are taken");
    } catch {
      this.say("The browser does not let this page copy; use Download");
    }
  }
}
