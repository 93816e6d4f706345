import { EventStreamLines, readEventStreamLine } from "@spfunctions/contracts";

export type SseMessage = { readonly event: string; readonly data: string };

/**
 * Reads `text/event-stream` as the HTML standard says, wherever the text was cut: comments, data over several lines. What stands at the
 * very end without an empty line is given too: whoever reads it knows the provider's end mark.
 */
export class SseReader {
  readonly #lines = new EventStreamLines();
  #data: string[] = [];
  #event = "";

  push(chunk: string): SseMessage[] {
    return this.#lines.push(chunk).flatMap((line) => this.#take(line));
  }

  end(): SseMessage[] {
    return [this.#lines.rest, ""].flatMap((line) => this.#take(line));
  }

  #take(line: string): SseMessage[] {
    if (line === "") return this.#dispatch();
    const { field, value } = readEventStreamLine(line);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    return [];
  }

  #dispatch(): SseMessage[] {
    const message = { event: this.#event, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#event = "";
    return isEmpty ? [] : [message];
  }
}
