// In: a click on Apply, or its keys. Out: the result and the race, as the server tells them.

import { find } from "./dom";
import { type Asked, Form, MissingError } from "./form";
import { region } from "./hunks";
import { languageOf } from "./languages";
import { Race } from "./race";
import { ResultView } from "./result";
import { Refused, Server } from "./server";
import type { Edited } from "./wire";

export class Editing {
  private readonly server = new Server();
  private readonly race = new Race();
  private readonly form = new Form(
    () => this.clear(),
    (error) => this.fail(error),
  );
  private readonly result = new ResultView(
    (text) => this.use(text),
    (text) => this.say(text),
  );
  private running: AbortController | null = null;

  constructor() {
    find("edit").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.apply();
    });
    find("cancel").addEventListener("click", () => this.running?.abort());
    find("key").addEventListener("change", (event) => {
      this.server.key = (event.target as HTMLInputElement).value.trim();
      void this.greet();
    });
    find("key-form").addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.pressed(event));
    void this.greet();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "Escape") this.running?.abort();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void this.apply();
    }
  }

  /** Says which model the server has, as soon as it lets the page ask. */
  private async greet(): Promise<void> {
    try {
      find("engine").textContent = `engine: ${await this.server.model()}`;
      find("error").hidden = true;
    } catch (error) {
      this.fail(error);
    }
  }

  private async apply(): Promise<void> {
    if (this.running) return;
    this.clear();
    find("intro").hidden = true;
    try {
      await this.run(this.form.asked());
    } catch (error) {
      this.fail(error);
    }
  }

  private async run(asked: Asked): Promise<void> {
    const running = new AbortController();
    this.working(running);
    find("actions").scrollIntoView({ block: "start" });
    try {
      const language = await languageOf(asked.body.path);
      const decided = (edited: Edited) =>
        this.result.begin(asked.body.original, asked.body.path, language, edited);
      const isRaced = asked.kind === "answer" && find<HTMLInputElement>("with-race").checked;
      if (asked.kind === "answer")
        await this.watch({ ...asked.body, race: isRaced }, running.signal, decided);
      else decided(await this.instructed(asked, running.signal));
      this.say("Done");
    } finally {
      running.abort();
      this.working(null);
    }
  }

  private async instructed({ body, lines }: Asked, signal: AbortSignal): Promise<Edited> {
    const edited = await this.server.edit("v1/edit", body, signal);
    return { ...edited, hunks: region(body.original, edited.output, ...lines) };
  }

  private async watch(body: object, signal: AbortSignal, decided: (edited: Edited) => void): Promise<void> {
    await this.server.stream("v1/race", body, signal, {
      decided,
      begin: (begin) => this.race.begin(begin),
      lap: (lap) => this.race.lap(lap),
      end: ({ way }) => this.race.end(way),
      written: (written) => this.result.add("As the model wrote it", written),
      compared: (compared) => this.race.finish(compared),
    });
  }

  private use(text: string): void {
    this.form.load(find<HTMLInputElement>("path").value, text);
    this.say("The result is the file now");
    this.form.answer.view.focus();
  }

  private clear(): void {
    find("error").hidden = true;
    this.say("");
    this.result.hide();
    this.race.hide();
  }

  private working(running: AbortController | null): void {
    this.running = running;
    find<HTMLButtonElement>("apply").disabled = running !== null;
    find<HTMLButtonElement>("cancel").disabled = running === null;
    find("edit").setAttribute("aria-busy", String(running !== null));
    if (running) this.say("Working…");
  }

  private say(text: string): void {
    find("status").textContent = text;
  }

  private fail(error: unknown): void {
    if (error instanceof DOMException && error.name === "AbortError") {
      this.race.stop("");
      this.say("Cancelled");
      return;
    }
    const why = error instanceof Error ? error.message : String(error);
    if (this.race.isOn) {
      // There is a result, and the race alone is lost.
      this.race.stop(why);
      this.say(`The race was stopped: ${why}`);
      return;
    }
    this.say("");
    const shown = find("error");
    shown.textContent = why;
    shown.hidden = false;
    if (error instanceof MissingError) error.focus();
    else if (error instanceof Refused && error.status === 401) find("key").focus();
  }
}
