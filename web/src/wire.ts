// In: nothing. Out: the shapes of what the server says.

export type Origin = "file" | "sketch" | "output" | "model";
export type Way = "token by token" | "with drafts";

/** Lines `start` to `end` of the file, counted from 0, become lines `after_start` to `after_end` of the new one. */
export interface Hunk {
  start: number;
  end: number;
  after_start: number;
  after_end: number;
  /** Null where nobody can say. */
  confidence: number | null;
}

/** What an edit came to; an instructed one comes without hunks. */
export interface Edited {
  status: string;
  output: string | null;
  confidence: number | null;
  decided_by: "merge" | "ranking" | "model";
  message: string;
  /** How a model could decide a refused edit; empty where none could. */
  way_on: string;
  /** Lines of the file that go though the answer does not show them. */
  vanished: { line: number; text: string }[];
  seconds: number;
  hunks: Hunk[];
}

export interface Begin {
  expected_chars: number;
  lines: number;
  lines_shown: number;
}

export interface Lap {
  way: Way;
  runs: [Origin, string][];
  tokens: number;
  drafted: number;
  accepted: number;
  seconds: number;
}

export interface Compared {
  speed_up: number;
  first_difference: number | null;
}

export interface Events {
  decided: Edited;
  begin: Begin;
  lap: Lap;
  end: { way: Way; seconds: number };
  written: Edited;
  compared: Compared;
  error: { error: { message: string } };
}
