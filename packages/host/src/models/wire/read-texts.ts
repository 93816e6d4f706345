import type { Patience } from "../../waiting/patience.ts";
import { UnheardError } from "./unheard-error.ts";

/** A body as text, piece by piece. What is larger than it may be, or no UTF-8, is no answer. */
export async function* readTexts(
  response: Response,
  patience: Patience,
  maxBytes: number,
  name: string,
): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new UnheardError(`${name} answered with what is no UTF-8`);
    }
  };
  let left = maxBytes;
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece comes after the other
      const { done, value } = await patience.race(reader.read());
      if (done) break;
      patience.heard();
      left -= value.length;
      if (left < 0)
        throw new UnheardError(
          `${name} answered with more than ${maxBytes} bytes; maxAnswerBytes takes more`,
        );
      yield decode(value);
    }
    yield decode();
  } finally {
    void reader.cancel().catch(() => {});
  }
}
