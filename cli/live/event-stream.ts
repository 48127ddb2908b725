// Parses server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), as far as `/api/live` uses them.

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** The position in the feed up to this event; null if none was sent yet. */
  readonly lastId: string | null;
}

/** Ids count even without an event: that is how the position advances on a quiet stream. */
export class EventParser {
  #rest = "";
  #type = "";
  #data: string[] = [];
  #lastId: string | null = null;

  get lastId(): string | null {
    return this.#lastId;
  }

  /** Returns the events that this piece completes. */
  add(piece: string): readonly ServerEvent[] {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  #line(line: string): readonly ServerEvent[] {
    if (line === "") {
      const event = {
        type: this.#type === "" ? "message" : this.#type,
        data: this.#data.join("\n"),
        lastId: this.#lastId,
      };
      const whole = this.#data.length > 0;
      this.#type = "";
      this.#data = [];
      return whole ? [event] : [];
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#type = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#lastId = value;
    return [];
  }
}
