import { UpstreamError } from "@spfunctions/contracts";

/** A message of a server-sent event stream. */
export type SseMessage = { readonly id: string; readonly event: string; readonly data: string };

/**
 * One message of a stream of events.
 * @limit client.eventChars | `upstream_error`, reason `too_large` | fixed: no event is larger
 */
const maxMessageChars = 8 * 1024 * 1024;

/**
 * Reads `text/event-stream` as the HTML standard says, whatever the places at which the bytes were cut: line ends of
 * three kinds, a byte order mark, comments, data over several lines. What the stream ends in the middle of is dropped.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  /** The line that is not at its end yet. */
  #line = "";
  /** A line ended in CR: an LF that comes next belongs to it. */
  #afterReturn = false;
  #data: string[] = [];
  #size = 0;
  #event = "";
  #id: string;
  /** The id of the last whole message, also of one without data: where to go on. */
  lastId: string;
  /** How long the server wants to be left alone after a break, if it has said so. */
  retryMs: number | undefined;

  constructor(lastId: string) {
    this.#id = lastId;
    this.lastId = lastId;
  }

  push(bytes: Uint8Array): SseMessage[] {
    const messages: SseMessage[] = [];
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return messages;
    if (this.#afterReturn && text.startsWith("\n")) text = text.slice(1);
    this.#afterReturn = text === "" ? false : text.endsWith("\r");
    const [first = "", ...others] = text.split(/\r\n|\r|\n/);
    this.#line += first;
    for (const next of others) {
      const message = this.#take(this.#line);
      if (message !== undefined) messages.push(message);
      this.#line = next;
    }
    if (this.#size + this.#line.length > maxMessageChars) throw tooLarge();
    return messages;
  }

  #take(line: string): SseMessage | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      this.#data.push(value);
      this.#size += value.length + 1;
    } else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #dispatch(): SseMessage | undefined {
    this.lastId = this.#id;
    const data = this.#data.join("\n");
    const event = this.#event === "" ? "message" : this.#event;
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#size = 0;
    this.#event = "";
    return isEmpty ? undefined : { id: this.lastId, event, data };
  }
}

function tooLarge(): UpstreamError {
  return new UpstreamError(
    "events: a message of the stream is too large; make sure that the address is a platform's, and go on after the last event",
    {
      details: { reason: "too_large" },
      retry: "never",
    },
  );
}
