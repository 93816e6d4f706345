// A crash between the result and the answer of the host's policy: it is asked again. Where it is not here, nobody decides for it.
import { type ContentDigest, type ContentRow, hashText } from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { askAboutOutput, endingOf, holdsOutputs, type RecordedText } from "../call/post-tool.ts";
import { endingWriter } from "../call/write-ending.ts";
import type { CallState, Opening } from "../journal/fold-calls.ts";
import { outputOf, textOf } from "../replay/recorded-answer.ts";
import type { Place } from "../store/store.ts";
import { uniqueOf } from "../time/ids.ts";
import { lateEnding, type Settled, type SettlingWriter } from "./settled.ts";

export type Content = ReadonlyMap<string, ContentRow>;

export async function settleHeld(
  host: CallHost,
  writer: SettlingWriter,
  call: CallState,
  content: Content,
): Promise<Settled> {
  const { opening, ending } = call;
  const heads =
    ending === undefined || ending.seq === opening.seq ? [call.openedAt] : [call.openedAt, call.at];
  return await decideHeld(host, writer, {
    opening,
    places: heads.map(writer.placeOf),
    input: recordedIn(content, opening.input),
    output: recordedIn(content, outputOf(call)),
  });
}

type Held = {
  readonly opening: Opening;
  readonly places: readonly Place[];
  /** Neither is there any more once it was erased. */
  readonly input: RecordedText | undefined;
  readonly output: RecordedText | undefined;
};

export async function decideHeld(
  host: CallHost,
  writer: SettlingWriter,
  { opening, places, input, output }: Held,
): Promise<Settled> {
  const { callId, tool } = opening;
  if (!holdsOutputs(host)) {
    const reason = "its output is held for a policy of the host's, which is not here";
    return { callId, tool, outcome: "left", by: "nobody", reason };
  }
  const answer =
    input === undefined || output === undefined
      ? ({ outcome: "deny", reason: "what it was to decide on was erased" } as const)
      : await askAboutOutput(host, opening, input, output);
  const { ending: record } = endingOf(host, uniqueOf(opening), opening, tool, answer);
  const terms = await lateEnding(host, writer, opening, places);
  await endingWriter(terms, { record, answers: "now" })(writer);
  return { callId, tool, outcome: answer.outcome === "allow" ? "released" : "withheld", by: "policy" };
}

/** A payload beside its record. */
export function recordedIn(content: Content, digest: ContentDigest | undefined): RecordedText | undefined {
  const text = digest === undefined ? undefined : textOf(content.get(digest.ref));
  return text === undefined ? undefined : { text, hash: hashText(text) };
}
