// A2, G3: what a model asks for, or lacks, is the operator's to give. Only what a person types at this terminal after the question was shown
// answers it.
import { type CapabilityGrant, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { GrantTerms, Operator } from "@spfunctions/kernel";
import { momentText } from "../approvals/approval-facts.ts";
import { printKnown, scopeText } from "../grants/print-grant.ts";
import type { Person } from "../io/person.ts";
import type { Printer } from "../io/printer.ts";
import { typedAnswer } from "../io/typed-answer.ts";

export type CapabilityQuestionsTerms = {
  readonly person: Person;
  readonly operator: Pick<Operator, "capabilities">;
  readonly print: Printer;
  readonly where: string;
  /** What the session has asked for by now. */
  readonly pending: () => Promise<readonly CapabilityGrant[]>;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Never beyond the session that has asked. */
export const grantWords = {
  once: { scope: "once" },
  session: { scope: "session", forMs: dayMs },
  hour: { scope: "session", forMs: hourMs },
} as const satisfies Readonly<Record<string, GrantTerms>>;

type Answer = { readonly terms: GrantTerms } | { readonly note?: string } | "later";

export class CapabilityQuestions {
  readonly #terms: CapabilityQuestionsTerms;
  /** Each once: whoever said later is not asked again by the same turn. */
  readonly #asked = new Set<string>();

  constructor(terms: CapabilityQuestionsTerms) {
    this.#terms = terms;
  }

  /** Asks what stands before an operator under this id, if it still does. `pause` ends a line that is under way. */
  async ask(grantId: string, signal: AbortSignal, pause: () => void): Promise<void> {
    if (this.#asked.has(grantId)) return;
    this.#asked.add(grantId);
    const grant = (await this.#terms.pending()).find((one) => one.grantId === grantId);
    if (grant === undefined) return;
    pause();
    await this.#ask(grant, signal);
  }

  async #ask(grant: CapabilityGrant, signal: AbortSignal): Promise<void> {
    const { print, operator } = this.#terms;
    const answer = await this.#untilClear(grant, signal);
    if (answer === "later") {
      const how = `/grant ${grant.capability} gives it, /grants lists what waits`;
      return print.err({ text: `it waits, and nothing is reached by asking: ${how}`, style: "dim" });
    }
    try {
      const said =
        "terms" in answer
          ? await operator.capabilities.grant(grant.grantId, answer.terms)
          : await operator.capabilities.deny(grant.grantId, answer);
      print.err({ text: answeredText(said), style: said.status === "denied" ? "yellow" : "green" });
    } catch (error) {
      // The first answer stands.
      if (!isSimpleFunctionsError(error) || error.code !== "invalid_transition") throw error;
      print.err({ text: "note", style: "yellow" }, `: ${error.message}`);
    }
  }

  async #untilClear(grant: CapabilityGrant, signal: AbortSignal): Promise<Answer> {
    const { person, print, where } = this.#terms;
    let isFirst = true;
    const show = () => {
      if (isFirst) {
        print.err();
        print.err({ text: `the agent asks for ${grant.capability}`, style: ["bold", "yellow"] });
        printKnown({ out: print.err }, grant, where, Date.now());
      }
      isFirst = false;
      const text = `${grant.capability}: once, session, hour, no (and why), or later? `;
      print.ask({ text, style: "bold" });
    };
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until it is one of them
      const line = await person.ask(show, signal);
      if (line === undefined) {
        if (!isFirst) print.err();
        return "later";
      }
      const answer = answerIn(line);
      if (answer !== undefined) return answer;
      print.err({
        text: "once is for one call, session for a day of this session, hour for an hour of it; what follows no is kept as the reason",
        style: "dim",
      });
    }
  }
}

export function answeredText({ capability, status, scope, expiresAt }: CapabilityGrant): string {
  const until = momentText(expiresAt, Date.now());
  if (status === "denied") return `${capability} is denied; it is not asked for again before ${until}`;
  if (status === "revoked") return `${capability} is revoked: from now on nothing is reached by it`;
  return `${capability} is granted ${scopeText(scope)}, until ${until}; what was refused for want of it is to be tried again`;
}

/** One of five words, or its first letter; what follows a no is its reason. */
function answerIn(line: string): Answer | undefined {
  const { is, rest } = typedAnswer(line);
  if (is("no")) return rest === "" ? {} : { note: rest };
  if (rest !== "") return undefined;
  const named = Object.entries(grantWords).find(([name]) => is(name));
  if (named !== undefined) return { terms: named[1] };
  return is("later") ? "later" : undefined;
}
