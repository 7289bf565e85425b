// In: a file, its new version and the hunks. Out: a view of the difference in which each hunk can be taken or left.

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { make } from "./dom";
import { look } from "./editors";
import { changesOf, merged } from "./hunks";
import type { Hunk } from "./wire";

const toggled = StateEffect.define<ReadonlySet<number>>();

export class DiffView {
  taken: ReadonlySet<number> = new Set();
  private view: EditorView | null = null;
  private before = "";
  private after = "";
  private hunks: readonly Hunk[] = [];

  constructor(
    private readonly parent: HTMLElement,
    private readonly changed: () => void,
  ) {}

  get text(): string {
    return merged(this.before, this.after, this.hunks, this.taken);
  }

  get size(): number {
    return this.hunks.length;
  }

  show(before: string, after: string, hunks: readonly Hunk[], language: Extension, takeAll: boolean): void {
    this.clear();
    [this.before, this.after, this.hunks] = [before, after, hunks];
    this.taken = new Set(takeAll ? hunks.keys() : []);
    const state = EditorState.create({ doc: plain(after), extensions: this.extensions(language) });
    this.view = new EditorView({ parent: this.parent, state });
  }

  clear(): void {
    this.view?.destroy();
    this.view = null;
    this.hunks = [];
  }

  take(numbers: Iterable<number>): void {
    this.taken = new Set(numbers);
    this.view?.dispatch({ effects: toggled.of(this.taken) });
    this.changed();
  }

  takeAll(): void {
    this.take(this.hunks.keys());
  }

  /** Moves to the hunk after or before the one that has the focus, and focuses its button. */
  step(by: 1 | -1): void {
    if (!this.view || this.hunks.length === 0) return;
    const focused = document.activeElement?.closest<HTMLElement>("[data-hunk]")?.dataset.hunk;
    const first = by > 0 ? 0 : this.hunks.length - 1;
    const next =
      focused === undefined ? first : (Number(focused) + by + this.hunks.length) % this.hunks.length;
    const { view } = this;
    const position = lineStart(view.state, this.hunks[next]?.after_start ?? 0);
    view.dispatch({ effects: EditorView.scrollIntoView(position, { y: "center" }) });
    requestAnimationFrame(() =>
      view.dom.querySelector<HTMLElement>(`[data-hunk="${next}"] button`)?.focus({ preventScroll: true }),
    );
  }

  private extensions(language: Extension): Extension {
    const { hunks } = this;
    const before = plain(this.before);
    const changes = changesOf(before, plain(this.after), hunks);
    return [
      look("Difference between the file and the result"),
      EditorState.readOnly.of(true),
      language,
      this.headers(),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        gutter: true,
        collapseUnchanged: { margin: 3, minSize: 6 },
        diffConfig: { override: () => changes },
      }),
    ];
  }

  /** A line above each hunk with its confidence and its button; what is left out looks so. */
  private headers(): Extension {
    const draw = (state: EditorState): DecorationSet => {
      const builder = new RangeSetBuilder<Decoration>();
      this.hunks.forEach((hunk, number) => {
        const widget = new Header(hunk, number, this.hunks.length, this.taken.has(number), () =>
          this.toggle(number),
        );
        const at = lineStart(state, hunk.after_start);
        builder.add(at, at, Decoration.widget({ widget, block: true, side: -2 }));
        if (this.taken.has(number)) return;
        for (let line = hunk.after_start; line < hunk.after_end; line++) {
          const start = lineStart(state, line);
          builder.add(start, start, Decoration.line({ class: "left-out" }));
        }
      });
      return builder.finish();
    };
    return StateField.define<DecorationSet>({
      create: draw,
      update: (now, transaction) =>
        transaction.effects.some((effect) => effect.is(toggled)) ? draw(transaction.state) : now,
      provide: (field) => EditorView.decorations.from(field),
    });
  }

  private toggle(number: number): void {
    const next = new Set(this.taken);
    if (!next.delete(number)) next.add(number);
    this.take(next);
    this.view?.dom
      .querySelector<HTMLElement>(`[data-hunk="${number}"] button`)
      ?.focus({ preventScroll: true });
  }
}

class Header extends WidgetType {
  constructor(
    private readonly hunk: Hunk,
    private readonly number: number,
    private readonly of: number,
    private readonly isTaken: boolean,
    private readonly toggle: () => void,
  ) {
    super();
  }

  override eq(other: Header): boolean {
    return other.hunk === this.hunk && other.isTaken === this.isTaken;
  }

  override toDOM(): HTMLElement {
    const box = make("div", "hunk");
    box.dataset.hunk = String(this.number);
    const { confidence: sure } = this.hunk;
    const said = !sure ? "" : `, confidence ${Math.round(sure * 100)}%`;
    const button = make("button", "take", "Take");
    button.type = "button";
    button.setAttribute("aria-pressed", String(this.isTaken));
    button.setAttribute("aria-label", `Take hunk ${this.number + 1} of ${this.of}${said}`);
    button.addEventListener("click", this.toggle);
    box.append(
      make("span", "name", `Hunk ${this.number + 1} of ${this.of}`),
      make("span", "place", `line ${this.hunk.after_start + 1}`),
      ...(sure ? [confidence(sure)] : []),
      button,
    );
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** How sure something is, as a number and a small bar. */
export function confidence(value: number): HTMLElement {
  const box = make("span", `confidence ${value >= 0.9 ? "high" : value >= 0.6 ? "fair" : "low"}`);
  const [level, filled] = [make("span", "level"), make("span")];
  filled.style.inlineSize = `${value * 100}%`;
  level.append(filled);
  box.append(make("span", "", `${Math.round(value * 100)}% sure`), level);
  return box;
}

/** As the server counts lines: an editor would take a carriage return alone for a line end, too. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\r", "␍");

function lineStart(state: EditorState, line: number): number {
  return line < state.doc.lines ? state.doc.line(line + 1).from : state.doc.length;
}
