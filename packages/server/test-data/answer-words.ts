// What answers say, as texts that can be compared and searched.
import type { Answer } from "./test-platform.ts";

/** What an answer says, without what names its request; of its headers, those that are wanted. */
export function wordsOf(
  { status, headers, body }: Answer,
  isWanted: (header: string) => boolean = () => true,
): string {
  const wanted = [...headers].filter(([name]) => isWanted(name));
  return JSON.stringify([status, wanted, body]).replaceAll(body.meta.requestId, "");
}

const changing = /^(?:date|content-length|x-ratelimit-.*)$/;

/** What an answer says, without what names its request or its call, which each has for itself. */
export function neutralWordsOf(answer: Answer): string {
  const words = wordsOf(answer, (header) => !changing.test(header));
  const { receipt } = answer.body.meta;
  if (receipt === undefined) return words;
  const { runId, callId, inputHash, traceId, seq, hash, spent } = receipt;
  const own = [runId, callId, inputHash, traceId, hash, `"seq":${seq},`, JSON.stringify(spent)];
  return own.reduce<string>((text, one) => text.replaceAll(String(one), ""), words);
}

/** The text of an event stream until it has said enough, or has ended. */
export async function textUntil(answer: Response, isEnough: (text: string) => boolean): Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!isEnough(text)) {
    const { value, done = true } = (await reader?.read()) ?? {};
    if (done) break;
    text += value ?? "";
  }
  await reader?.cancel();
  return text;
}
