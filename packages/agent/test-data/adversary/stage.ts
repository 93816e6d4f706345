// Everything that a case is played with: a runtime, a store, a clock, the person who is asked, and whoever would like to be.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { type GivenPrincipal, openOperator, type Operator, Runs } from "@spfunctions/kernel";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { installation } from "../../../kernel/test-data/call-desk.ts";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { turn } from "../../../kernel/test-data/call-waiting.ts";
import { SimpleFunctionsRuntime } from "../../src/v1/simple-functions-runtime.ts";
import type { Case } from "./case.ts";
import { Adversary } from "./model.ts";
import {
  answer,
  canUseToolOf,
  deedOf,
  hooksOf,
  type Ledger,
  postToolOf,
  preToolOf,
  Teller,
} from "./people.ts";
import { accountId } from "./terms.ts";
import { Deck, type Execution } from "./tools.ts";
import { WatchedStore } from "./watched-store.ts";

export const boss = { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" } as const;

/** Whoever would like to answer, and may not: the run itself, a key without the scope, a browser, and the boss of somebody else. */
const nobodies: readonly GivenPrincipal[] = [
  { ...boss, keyId: "starter", kind: "run", runId: "run_00000001-0000" },
  { ...boss, keyId: "clerk", scopes: ["read", "write", "trade"], kind: "key" },
  { ...boss, kind: "token" },
  { ...boss, accountId: "acct_2" },
];

const deck = new Deck();

/** Milliseconds between two looks: from next to nothing to longer than anything waits. */
const pauses = [1, 1000, 31_000, 61_000, 121_000, 3_601_000];

export class Stage {
  readonly runtime: SimpleFunctionsRuntime;
  readonly store = new WatchedStore();
  readonly model: Adversary;
  readonly ledger: Ledger = { approved: new Set(), grants: new Set(), forged: 0 };
  readonly executions: Execution[] = [];
  /** Of which of them no intent was committed when they began. */
  readonly unannounced = new Set<Execution>();
  /** Calls of which the host's policy has said that a person is to be asked. */
  readonly asks = new Set<string>();
  /** Whatever anybody but a tool was shown, or could read. */
  readonly seen: string[] = [];
  rounds = 0;
  readonly #clock = new ManualClock();
  readonly #operator: Operator;
  readonly #strangers: readonly Operator[];
  readonly #resolver: Runs;
  readonly #person: Teller<Parameters<typeof answer>[0]>;
  #questions: readonly string[] = [];

  constructor({ law, people, script, streaming }: Case) {
    const shared = { store: this.store, clock: this.#clock, installation };
    const { saw, asks } = this;
    this.model = new Adversary(script, streaming, () => this.#questions[0] ?? "appr_00000000-none");
    const deed = deedOf(people);
    deck.deed = (execution, context) => {
      this.executions.push(execution);
      if (!this.store.announced.has(execution.effectId)) this.unannounced.add(execution);
      return deed(execution, context);
    };
    this.runtime = new SimpleFunctionsRuntime({
      ...shared,
      packs: [deck.pack],
      model: this.model,
      policy: law.policy,
      principal: law.principal,
      tools: law.selection,
      strategy: law.strategy,
      prices: { adversary: { inputPerMillion: 1, outputPerMillion: 1 } },
      ids: countingIds(1),
      hooks: hooksOf(people, saw),
      ...(people.canUseTool && { canUseTool: canUseToolOf(people.canUseTool, saw) }),
      ...(people.preTool && { evaluatePreTool: preToolOf(people.preTool, asks, saw) }),
      ...(people.postTool && { evaluatePostTool: postToolOf(people.postTool, saw) }),
    });
    this.#operator = openOperator({ ...shared, principal: boss, ids: countingIds(2) });
    this.#strangers = nobodies.map((principal, index) =>
      openOperator({ ...shared, principal, ids: countingIds(3 + index) }),
    );
    this.#resolver = idleRuns(shared);
    this.#person = new Teller(people.person);
  }

  readonly saw = (view: unknown): void => void this.seen.push(JSON.stringify(view));

  /** What can go on goes on, a person says what they say, and time passes. */
  async round(): Promise<void> {
    await this.#turns();
    const questions = await this.#operator.list();
    this.#questions = questions.map(({ approvalId }) => approvalId);
    for (const question of questions) {
      this.saw(question);
      const word = this.#person.next();
      await answer(word, question.approvalId, this.#operator, this.#strangers, this.ledger);
    }
    this.#clock.advance(pauses[this.rounds++ % pauses.length] ?? 1);
    for (const { runId } of await this.#resolver.list({ state: "recovery_needed" }))
      await this.#resolve(runId);
  }

  /** After this nothing happens any more, however much time passes. Whether it came to that: a hook may take its time to the last. */
  async close(): Promise<boolean> {
    const closing = { isOver: false };
    const closed = this.#closeAll().finally(() => (closing.isOver = true));
    for (let count = 0; count < 100 && !closing.isOver; count++) {
      await this.#turns();
      this.#clock.advance(31_000);
    }
    if (closing.isOver) await closed;
    this.#clock.advance(7_200_000);
    await this.#turns();
    for (const { messages, tools } of this.model.asked) this.saw({ messages, tools });
    return closing.isOver;
  }

  async #closeAll(): Promise<void> {
    await this.runtime.close();
    await this.#resolver.close();
    for (const each of [this.#operator, ...this.#strangers]) await each.close();
  }

  /** What nobody knows of is found out by a person, one way or the other. */
  async #resolve(runId: string): Promise<void> {
    const { unknown } = await (await this.#resolver.get(runId)).result();
    for (const effectId of unknown) {
      const status = this.rounds % 2 === 0 ? "completed" : "failed";
      await this.#resolver
        .resolve(runId, effectId, { status, note: "looked it up" })
        .catch((error: unknown) => {
          if (!isSimpleFunctionsError(error)) throw error;
        });
    }
  }

  async #turns(): Promise<void> {
    for (let count = 0; count < 3; count++) {
      await turn();
    }
  }
}

/** Where a person says what became of an effect: it drives nothing. */
function idleRuns(
  shared: Pick<ConstructorParameters<typeof Runs>[0], "store" | "clock" | "installation">,
): Runs {
  const adapter = { name: "nobody", complete: async () => await new Promise<never>(() => {}) };
  return new Runs({
    ...shared,
    packs: [],
    levels: [{ level: "agent", policy: {} }],
    principal: boss,
    agentId: "nobody",
    model: { adapter },
    ids: countingIds(9),
  });
}
