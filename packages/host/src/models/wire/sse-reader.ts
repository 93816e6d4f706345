export type SseMessage = { readonly event: string; readonly data: string };

/**
 * Reads `text/event-stream` as the HTML standard says, wherever the text was cut: line ends of three kinds, comments, data over
 * several lines. What stands at the very end without an empty line is given too: whoever reads it knows the provider's end mark.
 */
export class SseReader {
  #line = "";
  /** A line ended in CR: an LF that comes next belongs to it. */
  #afterReturn = false;
  #data: string[] = [];
  #event = "";

  push(chunk: string): SseMessage[] {
    const messages: SseMessage[] = [];
    if (chunk === "") return messages;
    const text = this.#afterReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#afterReturn = chunk.endsWith("\r");
    const [first = "", ...others] = text.split(/\r\n|\r|\n/);
    this.#line += first;
    for (const next of others) {
      this.#take(messages);
      this.#line = next;
    }
    return messages;
  }

  end(): SseMessage[] {
    const messages: SseMessage[] = [];
    if (this.#line !== "") this.#take(messages);
    this.#line = "";
    this.#take(messages);
    return messages;
  }

  #take(messages: SseMessage[]): void {
    const line = this.#line;
    if (line === "") return this.#dispatch(messages);
    const colon = line.indexOf(":");
    // A comment is a line whose field has no name.
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
  }

  #dispatch(messages: SseMessage[]): void {
    if (this.#data.length > 0) messages.push({ event: this.#event, data: this.#data.join("\n") });
    this.#data = [];
    this.#event = "";
  }
}
