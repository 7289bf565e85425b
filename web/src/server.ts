// In: an edit and a key. Out: what the server says about it: one answer, or events as they come.

import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Edited, Events } from "./wire";

/** What went wrong, in words for the user. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export type Handlers = { [Name in keyof Events]?: (data: Events[Name]) => void };

export class Server {
  /** Kept here alone: no storage, no address. */
  key = "";

  async model(): Promise<string> {
    const models = (await (await this.ask("v1/models")).json()) as { data: { id: string }[] };
    return models.data[0]?.id ?? "";
  }

  async edit(path: string, body: object, signal: AbortSignal): Promise<Omit<Edited, "hunks">> {
    return (await (await this.ask(path, body, signal)).json()) as Omit<Edited, "hunks">;
  }

  /** Calls a handler for each event; throws `Refused` for an error event too. */
  async stream(path: string, body: object, signal: AbortSignal, handlers: Handlers): Promise<void> {
    const response = await this.ask(path, body, signal);
    if (!response.body) throw new Refused("the server sent nothing", response.status);
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    const reader = events.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const name = next.value.event as keyof Events | undefined;
      if (!name) continue;
      const data = JSON.parse(next.value.data);
      if (name === "error") throw new Refused((data as Events["error"]).error.message, response.status);
      (handlers[name] as ((data: unknown) => void) | undefined)?.(data);
    }
  }

  private async ask(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = {};
    if (this.key) headers.Authorization = `Bearer ${this.key}`;
    if (body) headers["Content-Type"] = "application/json";
    const options: RequestInit = { headers, credentials: "omit", cache: "no-store" };
    if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) });
    if (signal) options.signal = signal;
    const response = await this.reach(path, options);
    if (!response.ok) throw new Refused(await reason(response), response.status);
    return response;
  }

  private async reach(path: string, options: RequestInit): Promise<Response> {
    try {
      return await fetch(new URL(path, document.baseURI), options);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Refused("the server cannot be reached: is `redraft serve` still running?", 0);
    }
  }
}

/** The message of an error in OpenAI's shape, or the status where there is none. */
async function reason(response: Response): Promise<string> {
  try {
    const said = ((await response.json()) as { error: { message: string } }).error.message;
    return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  } catch {
    return `The server answered with status ${response.status}`;
  }
}
