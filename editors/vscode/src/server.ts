// In: requests of the extension. Out: their results, from one `redraft serve --stdio` that is started when needed.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import {
  createMessageConnection,
  ErrorCodes,
  ProgressType,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  type CancellationToken,
  type MessageConnection,
} from "vscode-jsonrpc/node";
import type { Change } from "./answers";
import type { NextEdit } from "./edits";
import type { Made } from "./past";

export interface News {
  text?: string;
  message?: string;
}

export interface Asked {
  answer: string;
  path?: string;
  text?: string;
  root?: string;
  opened?: Record<string, string>;
  model?: boolean;
}

export interface Lines {
  path: string;
  text: string;
  first: number;
  last: number;
  instruction: string;
}

/** The file as it is now, the cursor, counted from 1, and what was changed last. */
export interface Next {
  path: string;
  text: string;
  line: number;
  column: number;
  history: Made[];
}

const CANCELLED = -32800;
const NEWS = new ProgressType<News>();
const INSTALL = "install it with `pip install redraft`, or set `redraft.path`";

/** Whether the client's own library says it, of a connection that is broken. */
function isLocal(code: number): boolean {
  return code >= ErrorCodes.jsonrpcReservedErrorRangeStart && code <= ErrorCodes.jsonrpcReservedErrorRangeEnd;
}

/** The user, or the editor, no longer wants the result. */
export class Cancelled extends Error {}

interface Running {
  process: ChildProcessWithoutNullStreams;
  connection: MessageConnection;
  ended: Promise<never>;
}

/** What it throws has a message for the user. After the process has died, the next request starts another. */
export class Server {
  private running: Running | undefined;
  private last = 0;

  constructor(
    private readonly command: () => string[],
    private readonly onState: (state: "ready" | "stopped") => void = () => {},
  ) {}

  async apply(asked: Asked, token?: CancellationToken, onNews?: (news: News) => void): Promise<Change[]> {
    return (await this.ask<{ changes: Change[] }>("apply", asked, token, onNews)).changes;
  }

  edit(lines: Lines, token?: CancellationToken, onNews?: (news: News) => void): Promise<Change> {
    return this.ask<Change>("edit", lines, token, onNews);
  }

  /** Without an edit nothing is to be changed. */
  next(now: Next, token?: CancellationToken): Promise<{ edit?: NextEdit }> {
    return this.ask("next", now, token);
  }

  stop(): void {
    this.running?.process.kill();
    this.running = undefined;
  }

  private async ask<T>(
    method: string,
    params: object,
    token?: CancellationToken,
    onNews?: (news: News) => void,
  ): Promise<T> {
    const { process, connection, ended } = (this.running ??= this.start());
    const number = ++this.last;
    const listening = onNews && connection.onProgress(NEWS, number, onNews);
    const request = { ...params, token: number };
    try {
      const answer = token
        ? connection.sendRequest<T>(method, request, token)
        : connection.sendRequest<T>(method, request);
      return await Promise.race([answer, ended]);
    } catch (error) {
      if (error instanceof ResponseError && error.code === CANCELLED) throw new Cancelled();
      if (error instanceof ResponseError && !isLocal(error.code)) throw error;
      process.kill(); // the connection is broken: the process says why
      return await ended;
    } finally {
      listening?.dispose();
    }
  }

  private start(): Running {
    const [program = "redraft", ...words] = this.command();
    const process = spawn(program, words, { stdio: "pipe" });
    const connection = createMessageConnection(
      new StreamMessageReader(process.stdout),
      new StreamMessageWriter(process.stdin),
    );
    let said = "";
    process.stderr.on("data", (data) => (said = (said + data).slice(-4000)));
    const ended = new Promise<never>((_, reject) => {
      process.on("error", (error: NodeJS.ErrnoException) =>
        reject(
          new Error(error.code === "ENOENT" ? `there is no program ${program}: ${INSTALL}` : error.message),
        ),
      );
      process.on("close", (code, signal) => {
        const reason = said.trim().split("\n").pop() || `exit code ${code ?? signal}`;
        reject(new Error(`redraft has stopped: ${reason}`));
      });
    });
    ended.catch(() => {
      if (this.running?.process === process) this.running = undefined;
      connection.dispose();
      this.onState("stopped");
    });
    process.stdin.on("error", () => {}); // its end is told by `close`
    connection.onError(() => {});
    connection.listen();
    process.on("spawn", () => this.onState("ready"));
    return { process, connection, ended };
  }
}
