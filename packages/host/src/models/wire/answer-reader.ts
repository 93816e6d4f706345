import { SseReader } from "./sse-reader.ts";

/** An event of a stream, or a whole answer. */
export type Heard = { readonly data: string; readonly isWhole: boolean };

/** How the lines of an event stream begin. */
const fields = [":", "data:", "event:", "id:", "retry:"];

/**
 * Reads what a provider answers with, whichever of the two was asked for: some take no notice. It is known by how it begins, because
 * content types are often missing or wrong.
 */
export class AnswerReader {
  readonly #isCalledStream: boolean;
  readonly #stream = new SseReader();
  readonly #json: string[] = [];
  #begin = "";
  #form: "stream" | "json" | "neither" | undefined;

  constructor(contentType: string) {
    this.#isCalledStream = contentType.startsWith("text/event-stream");
  }

  /** Whether it is certainly no answer, like a page for a browser. */
  get isNeither(): boolean {
    return this.#form === "neither";
  }

  push(text: string): Heard[] {
    let said = text;
    if (this.#form === undefined) {
      said = this.#begin = (this.#begin + text).trimStart();
      this.#form = this.#formOf(said);
    }
    if (this.#form === "json") this.#json.push(said);
    return this.#form === "stream" ? eventsIn(this.#stream.push(said)) : [];
  }

  end(): Heard[] {
    if (this.#form === "json") return [{ data: this.#json.join(""), isWhole: true }];
    return eventsIn(this.#stream.end());
  }

  /** Nothing while too little of it has come. */
  #formOf(begin: string): "stream" | "json" | "neither" | undefined {
    if (/^[[{]/.test(begin)) return "json";
    if (fields.some((field) => begin.startsWith(field))) return "stream";
    if (fields.some((field) => field.startsWith(begin))) return undefined;
    return this.#isCalledStream ? "stream" : "neither";
  }
}

function eventsIn(messages: readonly { readonly data: string }[]): Heard[] {
  return messages.map(({ data }) => ({ data, isWhole: false }));
}
