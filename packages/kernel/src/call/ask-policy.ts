// B15: a policy that throws, is late, or answers what is no answer has denied.
import {
  type CostEffect,
  cutText,
  type Digest,
  type HiddenPart,
  type JsonValue,
  type Origin,
  type PackageRoute,
  type Principal,
  type SideEffect,
} from "@spfunctions/contracts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { Clock } from "../time/clock.ts";
import { isAborted, onAbort } from "../time/abort-signal.ts";
import { ownErrorOf } from "./own-error.ts";
import { safeText } from "./safe-text.ts";

/** What a host's own policy sees of a call: its recorded form. */
export type PolicyView = {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly toolDigest: Digest;
  readonly sideEffect: SideEffect;
  readonly costEffect: CostEffect;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly input: JsonValue;
  readonly inputHash: Digest;
  /** The parts of the input that it does not show. */
  readonly hidden: readonly HiddenPart[];
  /** The route that it takes: where to, at what risk, how private, under which policies. Absent where its tool is here no more. */
  readonly route?: PackageRoute | undefined;
};
export type PostToolView = PolicyView & {
  readonly output: JsonValue;
  readonly outputHash: Digest;
  /** The same of the output. */
  readonly outputHidden: readonly HiddenPart[];
};

/** A host's own policy, asked before a call: it can object to what the judge allows, and allow nothing the judge refuses. */
export type EvaluatePreTool = (view: PolicyView) => PolicyAnswer | Promise<PolicyAnswer>;
/** Asked after it, on its output, which nobody gets before the answer. */
export type EvaluatePostTool = (view: PostToolView) => PolicyAnswer | Promise<PolicyAnswer>;

/**
 * The reason that a host's own policy gives.
 * @limit policy.reasonChars | it is cut | fixed: it is shown in a verdict
 */
export const maxReasonChars = 500;
const outcomes = new Set<unknown>(["allow", "deny", "ask"]);

export async function askPolicy<View>(
  evaluate: (view: View) => PolicyAnswer | Promise<PolicyAnswer>,
  view: View,
  terms: Pick<AskTerms, "clock" | "timeoutMs">,
): Promise<PolicyAnswer> {
  return await orDenied(async () => parseAnswer(await evaluate(view)), {
    ...terms,
    whom: "the host's policy",
  });
}

export type AskTerms = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Who is asked, in words. */
  readonly whom: string;
  /** Of whoever is told to stop meanwhile: nobody waits on then. */
  readonly signal?: AbortSignal | undefined;
};

export type Denied = { readonly outcome: "deny"; readonly reason: string };

/** What somebody of the host's answers; where they do not, in time and without a fault, they have denied. */
export async function orDenied<Answer>(
  ask: () => Promise<Answer>,
  { clock, timeoutMs, whom, signal }: AskTerms,
): Promise<Answer | Denied> {
  const { promise: late, resolve } = Promise.withResolvers<Denied>();
  const giveUp = (why: string) => resolve({ outcome: "deny", reason: `${whom} ${why}` });
  const stop = () => giveUp("was not waited for: it was told to stop");
  const callOff = clock.after(timeoutMs, () => giveUp(`did not answer within ${timeoutMs} ms`));
  const stopHearing = signal && onAbort(signal, stop);
  if (isAborted(signal)) stop();
  const answer = (async () => await ask())().catch((error: unknown): Denied => {
    const own = ownErrorOf(error);
    const words = own === undefined ? nameOf(error) : `: ${cutText(own.message, maxReasonChars)}`;
    return { outcome: "deny", reason: `${whom} failed${words}` };
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    callOff();
    stopHearing?.();
  }
}

/** S1: what it says may be about anything, and a verdict is shown to whoever calls. */
function nameOf(error: unknown): string {
  try {
    const name: unknown = error instanceof Error ? error.constructor.name : "Error";
    return typeof name === "string" && name !== "Error" && /^\w{1,60}$/.test(name) ? ` (${name})` : "";
  } catch {
    // A proxy that refuses to be asked.
    return "";
  }
}

/** What a rule answers; where that is no answer, it has denied. */
export function parseAnswer(given: unknown): PolicyAnswer {
  if (typeof given !== "object" || given === null || !Object.hasOwn(given, "outcome")) return malformed;
  const { outcome, reason } = given as { outcome: unknown; reason?: unknown };
  if (!outcomes.has(outcome) || (reason !== undefined && typeof reason !== "string")) return malformed;
  return {
    outcome: outcome as PolicyAnswer["outcome"],
    ...(reason === undefined ? {} : { reason: safeText(reason, maxReasonChars) }),
  };
}

const malformed: PolicyAnswer = {
  outcome: "deny",
  reason:
    'the host\'s policy gave no answer that can be understood: it is { outcome, reason? }, of which outcome is "allow", "deny" or "ask"',
};
