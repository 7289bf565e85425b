// In: the forwards of one way of decoding. Out: its text as it comes, coloured by origin, and its figures.

import { count, make, seconds } from "./dom";
import type { Lap, Origin, Way } from "./wire";

// Lines a block of text holds, so that what is out of sight costs the browser nothing.
const BLOCK = 80;
// Pixels from the end within which the text still follows what is written.
const NEAR = 24;

export class Lane {
  readonly laps: Lap[] = [];
  private readonly box = make("article", "lane");
  private readonly figures: Record<string, HTMLElement> = {};
  private readonly progress = make("progress");
  private readonly state = make("span", "state");
  private readonly output = make("pre", "output");
  private readonly waiting: [Origin, string][] = [];
  private block = make("div");
  private newlines = 0;
  private frame = 0;
  private chars = 0;
  isDone = false;

  constructor(
    readonly way: Way,
    private readonly expected: number,
  ) {
    const head = make("div", "lane-head");
    head.append(make("h3", "", `${way[0]?.toUpperCase()}${way.slice(1)}`), this.state);
    this.progress.max = 1;
    this.progress.value = 0;
    this.progress.setAttribute("aria-label", `${way}: share of the text that is written`);
    this.output.tabIndex = 0;
    this.output.setAttribute("role", "region");
    this.output.setAttribute("aria-label", `What the model writes ${way}`);
    this.output.append(this.block);
    this.box.append(head, this.numbers(), this.progress, this.output);
  }

  get element(): HTMLElement {
    return this.box;
  }

  get seconds(): number {
    return this.laps.at(-1)?.seconds ?? 0;
  }

  get tokens(): number {
    return this.sum((lap) => lap.tokens);
  }

  sum(of: (lap: Lap) => number): number {
    return this.laps.reduce((total, lap) => total + of(lap), 0);
  }

  add(lap: Lap): void {
    this.laps.push(lap);
    this.waiting.push(...lap.runs);
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  end(how: "finished" | "stopped"): void {
    this.isDone = true;
    this.draw();
    if (how === "finished") this.progress.value = 1;
    this.state.textContent = how;
    this.box.classList.add(how);
  }

  private numbers(): HTMLElement {
    const list = make("dl", "figures");
    for (const name of [
      "time",
      "characters/s",
      "tokens",
      "forwards",
      "tokens a forward",
      "drafts accepted",
    ]) {
      const pair = make("div");
      this.figures[name] = make("dd", "", "–");
      pair.append(make("dt", "", name), this.figures[name]);
      list.append(pair);
    }
    return list;
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { output } = this;
    const follows = output.scrollHeight - output.scrollTop - output.clientHeight < NEAR;
    for (const [origin, text] of this.waiting.splice(0)) this.write(origin, text);
    if (follows) output.scrollTop = output.scrollHeight;
    if (!this.isDone) this.progress.value = Math.min(1, this.chars / Math.max(1, this.expected));
    this.tell();
  }

  private write(origin: Origin, text: string): void {
    this.chars += text.length;
    for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
      if (this.newlines >= BLOCK) {
        this.block.className = "past";
        this.block = make("div");
        this.output.append(this.block);
        this.newlines = 0;
      }
      const last = this.block.lastElementChild;
      const node = last?.className === origin ? last.firstChild : null;
      if (node instanceof Text) node.appendData(line);
      else this.block.append(make("span", origin, line));
      if (line.endsWith("\n")) this.newlines += 1;
    }
  }

  private tell(): void {
    const [drafted, accepted] = [this.sum((lap) => lap.drafted), this.sum((lap) => lap.accepted)];
    const forwards = this.laps.length;
    const figures = {
      time: seconds(this.seconds),
      "characters/s": count(this.chars / Math.max(this.seconds, 1e-6)),
      tokens: count(this.tokens),
      forwards: count(forwards),
      "tokens a forward": ratio(this.tokens / Math.max(1, forwards)),
      "drafts accepted": drafted ? `${count((100 * accepted) / drafted)}%` : "–",
    };
    for (const [name, text] of Object.entries(figures)) {
      const shown = this.figures[name];
      if (shown && shown.textContent !== text) shown.textContent = text;
    }
  }
}

const ratio = (value: number): string => (value < 100 ? value.toFixed(1) : count(value));
