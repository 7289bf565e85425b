// In: the forwards of a run with drafts. Out: a picture of what each proposed and what was accepted, and a table of it.

import { count, counted, make, seconds, svg } from "./dom";
import type { Lap } from "./wire";

const [WIDTH, HEIGHT] = [1000, 96];
// A forward that takes next to no time can still be seen.
const LEAST = 3;

export function timeline(figure: HTMLElement, laps: readonly Lap[]): void {
  const total = laps.at(-1)?.seconds ?? 0;
  const highest = Math.max(1, ...laps.map((lap) => Math.max(lap.drafted, lap.tokens)));
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  let from = 0;
  laps.forEach((lap) => {
    const x = (from / total) * WIDTH;
    const width = Math.max(LEAST, ((lap.seconds - from) / total) * WIDTH - 2);
    const bar = (tokens: number, kind: string) => {
      const height = scaled(tokens, highest);
      return svg("rect", { x, width, y: HEIGHT - height, height, rx: 2, class: kind });
    };
    picture.append(
      bar(lap.drafted, "drafted"),
      bar(lap.accepted, "accepted"),
      bar(lap.tokens - lap.accepted, "own"),
    );
    from = lap.seconds;
  });
  figure.replaceChildren(caption(laps, total), picture, axis(total), table(laps));
  figure.hidden = laps.length === 0;
}

/** Square roots, so that a forward of a few tokens can be seen beside one of a thousand. */
function scaled(tokens: number, highest: number): number {
  return tokens > 0 ? Math.max(3, Math.sqrt(tokens / highest) * HEIGHT) : 0;
}

function caption(laps: readonly Lap[], total: number): HTMLElement {
  const [drafted, accepted] = [
    laps.reduce((n, l) => n + l.drafted, 0),
    laps.reduce((n, l) => n + l.accepted, 0),
  ];
  const made = make("figcaption");
  made.append(
    make("strong", "", "Acceptance, forward by forward. "),
    `${counted(laps.length, "forward")} in ${seconds(total)}: of ${counted(drafted, "drafted token")} `,
    `${count(accepted)} accepted (solid), ${count(drafted - accepted)} turned down (pale); `,
    "the model’s own token at the foot of each.",
  );
  return made;
}

function axis(total: number): HTMLElement {
  const made = make("div", "axis");
  made.append(make("span", "", "0 s"), make("span", "", `${seconds(total)} of the engine’s time`));
  return made;
}

function table(laps: readonly Lap[]): HTMLElement {
  const [details, shown, head] = [make("details"), make("table"), make("tr")];
  for (const name of ["Forward", "Ends at", "Drafted", "Accepted", "Written"]) {
    const cell = make("th", "", name);
    cell.scope = "col";
    head.append(cell);
  }
  shown.append(head);
  laps.forEach((lap, number) => {
    const row = make("tr");
    const cells = [
      count(number + 1),
      seconds(lap.seconds),
      count(lap.drafted),
      count(lap.accepted),
      count(lap.tokens),
    ];
    row.append(...cells.map((text) => make("td", "", text)));
    shown.append(row);
  });
  details.append(make("summary", "", "As a table"), shown);
  return details;
}
