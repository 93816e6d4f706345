import type { StepId } from "@spfunctions/contracts";
import { freeze, type Payload, type Recorded, recordedForm } from "../../call/payload.ts";
import { readPayload } from "../../journal/read-payload.ts";
import { draftContent, draftRecord } from "../../journal/record-draft.ts";
import { contentRef } from "../../time/ids.ts";
import { type ModelTurn, tokensOf } from "./ask-model.ts";
import type { Condensed } from "../state/fold-run.ts";
import type { LiveRun } from "../driver/live-run.ts";

/** What is to be shown instead of what the model would be shown, where that is more than it may be. */
export type Less = Condensed & {
  readonly recorded: Recorded;
  readonly tokens: number;
  readonly limit: number;
};

/** Where nothing less can be shown the run goes on with what there is. */
export function condensedTurn(live: LiveRun, turn: ModelTurn): Less | undefined {
  const { contextTokens: limit, assemble } = live.host;
  const tokens = turn.worst.inputTokens ?? 0;
  if (limit === undefined || tokens <= limit || assemble !== undefined) return undefined;
  // It was just condensed.
  if (live.run.shape.state === "compacting") return undefined;
  const found = lessThan(live, turn, limit);
  return found && { ...found, tokens, limit };
}

/** From here on the model is shown less. That is on record, with what is shown instead. */
export async function condenseRun(live: LiveRun, turn: ModelTurn, less: Less): Promise<void> {
  const { host, journal, unique, run } = live;
  const { messages, answerChars, recorded, tokens, limit } = less;
  const ref = contentRef(unique, `${turn.step}-condensed${turn.attempt}`);
  const { row, digest } = draftContent(ref, host.ids.salt(), recorded.text, recorded.hash);
  const record = draftRecord(
    "context.condensed",
    {
      runId: run.opening.runId,
      stepId: `step_${unique}-${turn.step}` as StepId,
      messages,
      ...(answerChars !== undefined && { answerChars }),
      tokens,
      limit,
      output: digest,
    },
    { content: [row] },
  );
  await journal.append({ durability: "process", records: [record] });
}

/** The most that fits, and where nothing does, the least there is. S1: counted, and shown, is what is kept. */
function lessThan(
  { host, conversation, shown, run }: LiveRun,
  { bytes }: ModelTurn,
  limit: number,
): Pick<Less, keyof Condensed | "recorded"> | undefined {
  const offered = shown.upTo(run);
  let least: ReturnType<typeof lessThan>;
  for (const condensed of conversation.condensations()) {
    const said = freeze(condensed.text) as Payload;
    const recorded = recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash);
    const told = conversation.toldAs({ ...condensed, text: readPayload(recorded.text) as string });
    if (told.bytes >= bytes) continue;
    least = { ...condensed, recorded };
    if (tokensOf(host, told, offered) <= limit) break;
  }
  return least;
}
