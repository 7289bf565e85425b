// In: the texts of a file while it is changed. Out: what was changed last, a change for each place, as the server reads it.

/** Lines of a file before and after a change. */
export interface Made {
  path: string;
  before: string;
  after: string;
}

const NEAR = 5; // lines within which typing is one change
const AROUND = 2; // lines that a change is shown with
const KEPT = 5; // changes; the server shows a model three

export class Past {
  private readonly made: [string, string][] = [];
  private base: string;
  private line: number | undefined;

  constructor(private now: string) {
    this.base = now;
  }

  /** The text has become another, at a line counted from 0. */
  changed(text: string, line: number): void {
    if (this.line !== undefined && Math.abs(line - this.line) > NEAR) {
      this.made.push(...difference(this.base, this.now));
      this.made.splice(0, this.made.length - KEPT);
      this.base = this.now;
    }
    this.now = text;
    this.line = line;
  }

  /** The last changes, oldest first. */
  changes(path: string): Made[] {
    const all = [...this.made, ...difference(this.base, this.now)];
    return all.map(([before, after]) => ({ path, before, after }));
  }
}

/** The lines that differ from the first to the last, before and after; nothing where none does. */
function difference(one: string, other: string): [string, string][] {
  if (one === other) return [];
  const [before, after] = [one.split("\n"), other.split("\n")];
  const least = Math.min(before.length, after.length);
  let above = 0;
  while (above < least && before[above] === after[above]) above++;
  let below = 0;
  while (below < least - above && before.at(-1 - below) === after.at(-1 - below)) below++;
  const shown = (lines: string[]) =>
    lines
      .slice(Math.max(0, above - AROUND), Math.min(lines.length, lines.length - below + AROUND))
      .map((line) => `${line}\n`)
      .join("");
  return [[shown(before), shown(after)]];
}
