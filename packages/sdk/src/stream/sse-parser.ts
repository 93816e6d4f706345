import { EventStreamLines, readEventStreamLine, UpstreamError } from "@spfunctions/contracts";

/** A message of a server-sent event stream. */
export type SseMessage = { readonly id: string; readonly event: string; readonly data: string };

/**
 * One message of a stream of events.
 * @limit client.eventChars | `upstream_error`, reason `too_large` | fixed: no event is larger
 */
const maxMessageChars = 8 * 1024 * 1024;

/**
 * Reads `text/event-stream` as the HTML standard says, whatever the places at which the bytes were cut: a byte
 * order mark, comments, data over several lines. What the stream ends in the middle of is dropped.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  readonly #lines = new EventStreamLines();
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
    const lines = this.#lines.push(this.#decoder.decode(bytes, { stream: true }));
    const messages = lines.flatMap((line) => this.#take(line) ?? []);
    if (this.#size + this.#lines.rest.length > maxMessageChars) throw tooLarge();
    return messages;
  }

  #take(line: string): SseMessage | undefined {
    if (line === "") return this.#dispatch();
    const { field, value } = readEventStreamLine(line);
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
