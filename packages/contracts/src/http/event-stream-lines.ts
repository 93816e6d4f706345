/** The lines of a `text/event-stream`, as the HTML standard has them, wherever the text was cut: they end in CR, in LF, or in both. */
export class EventStreamLines {
  #rest = "";
  /** A line ended in CR: an LF that comes next belongs to it. */
  #afterReturn = false;

  /** What has come of the line that is not at its end yet. */
  get rest(): string {
    return this.#rest;
  }

  /** The lines that are at their end with this. */
  push(chunk: string): string[] {
    if (chunk === "") return [];
    const text = this.#afterReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#afterReturn = chunk.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + (lines[0] ?? "");
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}

/** What a line says. The field of a comment has no name. */
export function readEventStreamLine(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { field: line, value: "" };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}
