// In: what an editor shows, and requests for the next edit. Out: the newest one's answer, shown, gone to, and taken.

import { CancellationTokenSource, type CancellationToken } from "vscode-jsonrpc/node";
import { made, span, type Place, type Span } from "./edits";
import type { Made } from "./past";
import { Cancelled, type Next, type Server } from "./server";

/** A file as an editor shows it; `state` is another after each change and each movement of the cursor. */
export interface Shown {
  state: string;
  path: string;
  text: string;
  cursor: Place;
  history: Made[];
}

/** The editor at hand. */
export interface View {
  state(): string;
  cursor(): Place;
  show(span: Span): void;
  hide(): void;
  /** Moves the cursor, and says which state that makes. */
  go(place: Place): string;
  replace(span: Span): Promise<void>;
}

export class Suggestions {
  private asking: CancellationTokenSource | undefined;
  private shown: { span: Span; state: string } | undefined;

  constructor(
    private readonly server: Pick<Server, "next">,
    private readonly view: View,
  ) {}

  /** What changes next, undefined where nothing does; throws Cancelled where the file is no longer as it was. */
  async ask(now: Shown, token?: CancellationToken): Promise<Span | undefined> {
    this.dismiss();
    const own = (this.asking = new CancellationTokenSource());
    const listening = token?.onCancellationRequested(() => own.cancel());
    try {
      if (token?.isCancellationRequested) throw new Cancelled();
      const { edit } = await this.server.next(request(now), own.token);
      if (own.token.isCancellationRequested || this.view.state() !== now.state) throw new Cancelled();
      return edit && span(now.text, made(now.text, edit), now.cursor);
    } finally {
      listening?.dispose();
      if (this.asking === own) this.asking = undefined;
    }
  }

  offer(span: Span): void {
    this.shown = { span, state: this.view.state() };
    this.view.show(span);
  }

  isShown(): boolean {
    return this.shown?.state === this.view.state();
  }

  /** Takes the suggestion at the cursor, or goes to one elsewhere; false where none is shown. */
  async take(): Promise<boolean> {
    const one = this.shown;
    if (!one || !this.isShown()) {
      this.dismiss();
      return false;
    }
    const { start, end } = one.span;
    const { line } = this.view.cursor();
    if (line < start.line || line > end.line) {
      one.state = this.view.go(start);
      return true;
    }
    this.dismiss();
    await this.view.replace(one.span);
    return true;
  }

  /** Something has been typed, or the cursor has moved; a state that is as it was dismisses nothing. */
  moved(): void {
    if (this.shown && !this.isShown()) this.dismiss();
  }

  dismiss(): void {
    this.asking?.cancel();
    this.asking = undefined;
    if (!this.shown) return;
    this.shown = undefined;
    this.view.hide();
  }
}

/** Whether a span is text that comes in at a place. */
export function isInsertionAt({ start, end }: Span, { line, character }: Place): boolean {
  return [start, end].every((each) => each.line === line && each.character === character);
}

function request({ path, text, cursor, history }: Shown): Next {
  const left = text.split("\n")[cursor.line]!.slice(0, cursor.character);
  return { path, text, history, line: cursor.line + 1, column: [...left].length + 1 };
}
