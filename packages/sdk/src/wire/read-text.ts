/**
 * An answer of the platform.
 * @limit client.answerBytes | `upstream_error`, reason `too_large` | fixed: no answer of a tool is larger
 */
export const maxAnswerBytes = 32 * 1024 * 1024;

/** The body as text, or why it is none. Stops reading as soon as it is too large, or nobody waits for it any more. */
export async function readText(
  response: Response,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly problem: "too_large" | "not_utf8" }> {
  if (response.body === null) return { text: "" };
  const reader = response.body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await readAll(reader);
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): ReturnType<typeof readText> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk comes after the other
    const { done, value } = await reader.read();
    bytes += value?.length ?? 0;
    if (bytes > maxAnswerBytes) return { problem: "too_large" };
    const decoded = decode(decoder, value, done);
    if (decoded === undefined) return { problem: "not_utf8" };
    text += decoded;
    if (done) return { text };
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, isLast: boolean): string | undefined {
  try {
    return isLast ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
