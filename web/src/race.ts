// In: the events of a race. Out: its two lanes, its figures and its timeline.

import { counted, find, seconds } from "./dom";
import { Lane } from "./lane";
import { timeline } from "./timeline";
import type { Begin, Compared, Lap, Way } from "./wire";

export class Race {
  private readonly section = find("race");
  private readonly headline = find("speed-up");
  private lanes: Lane[] = [];

  begin(begin: Begin): void {
    this.lanes = [
      new Lane("token by token", begin.expected_chars),
      new Lane("with drafts", begin.expected_chars),
    ];
    find("lanes").replaceChildren(...this.lanes.map((lane) => lane.element));
    const isPart = begin.lines_shown < begin.lines;
    this.headline.textContent = isPart
      ? `of this file the model reads and writes ${counted(begin.lines_shown, "line")} around the edit`
      : "";
    find("timeline").hidden = true;
    this.section.hidden = false;
  }

  hide(): void {
    this.lanes = [];
    this.section.hidden = true;
  }

  lap(lap: Lap): void {
    this.lane(lap.way)?.add(lap);
  }

  end(way: Way): void {
    const lane = this.lane(way);
    lane?.end("finished");
    if (lane && way === "with drafts") timeline(find("timeline"), lane.laps);
  }

  /** What was not finished never will be; `why` is for people, empty where there is nothing to say. */
  stop(why: string): void {
    const left = this.lanes.filter((lane) => !lane.isDone);
    for (const lane of left) lane.end("stopped");
    if (left.length > 0 && why) this.headline.textContent = `stopped: ${why}`;
  }

  get isOn(): boolean {
    return this.lanes.length > 0;
  }

  /** Says how much faster drafts are, in a sentence for everybody. */
  finish(compared: Compared): void {
    const [vanilla, drafts] = [this.lane("token by token"), this.lane("with drafts")];
    const times = `${seconds(drafts?.seconds ?? 0)} instead of ${seconds(vanilla?.seconds ?? 0)}`;
    const equal =
      compared.first_difference === null
        ? "token for token the same text"
        : `the texts differ from token ${compared.first_difference + 1} on`;
    this.headline.textContent = `With drafts ${compared.speed_up.toFixed(1)}× as fast: ${times}, ${equal}`;
  }

  private lane(way: Way): Lane | undefined {
    return this.lanes.find((lane) => lane.way === way);
  }
}
