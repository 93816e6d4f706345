import {
  JournalCorruptError,
  parseJsonStrict,
  type TraceSeal,
  traceSealSchema,
} from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { knownKeys } from "../seat/known-keys.ts";
import { checkSeal } from "./check-seal.ts";
import type { TraceText } from "./read-trace-file.ts";

/** B22: nothing goes on from a trace under the name of somebody whose key is known here, and who has not signed it. */
export function requireUnforged({ file, text }: TraceText, io: Pick<CliIo, "env">): void {
  const seal = sealOf(text);
  // Whoever signed nothing is nobody's to know.
  if (seal?.signature === undefined) return;
  const { status, detail } = checkSeal(seal, knownKeys(io));
  if (status !== "forged") return;
  throw new JournalCorruptError(`${file} cannot be trusted: ${detail}`, { details: { reason: "forged" } });
}

function sealOf(text: string): TraceSeal["seal"] | undefined {
  const whole = text.trimEnd();
  try {
    const last = parseJsonStrict(whole.slice(whole.lastIndexOf("\n") + 1));
    return traceSealSchema.safeParse(last).data?.seal;
  } catch {
    // Whether it is a trace at all, others say.
    return undefined;
  }
}
