// A platform at which a person must approve what an agent's key writes, the agent, and an operator of that platform.
import { type Approval, ApprovalRequiredError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { connectEmbedded, type SimpleFunctions } from "@spfunctions/sdk";
import { setTimeout as sleep } from "node:timers/promises";
import { testPlatform, type TestPlatform, type Way } from "../../server/test-data/test-platform.ts";
import type { AgentOptions } from "../src/platform/agent-options.ts";
import { DeskPack } from "./desk-pack.ts";
import { type Between, type PlatformAgent, platformAgent } from "./platform-agent.ts";

type Rules = NonNullable<Parameters<TestPlatform["key"]>[1]>["approvals"];

export type AskingHouse = {
  readonly desk: DeskPack;
  readonly house: TestPlatform;
  readonly key: string;
  readonly store: Store;
  readonly operator: SimpleFunctions;
  /** An agent of the same key, on the same store unless told. */
  readonly agent: (options?: Omit<AgentOptions, "client">, between?: Between) => Promise<PlatformAgent>;
  /** The question at the platform, once there is one. */
  readonly question: () => Promise<Approval>;
};

type Terms = {
  readonly way?: Way;
  readonly approvals?: Rules;
  readonly platform?: Parameters<typeof testPlatform>[1];
};

export async function askingHouse({
  way = "embedded",
  approvals = { requireForSideEffectAtOrAbove: "user_write" },
  platform,
}: Terms = {}): Promise<AskingHouse> {
  const desk: DeskPack = new DeskPack((input) => ({ done: input, run: desk.runs.length }));
  const house = await testPlatform(way, { packs: [desk.pack], ...platform });
  const key = await house.key("acct_1", { scopes: ["read", "write"], approvals });
  const store = createMemoryStore();
  const apiKey = await house.key("acct_1", { name: "operator", scopes: ["admin"] });
  const operator = connectEmbedded({ fetch: (request) => house.platform.fetch(request) }, { apiKey });
  const question = async (): Promise<Approval> => {
    for (;;) {
      const { items } = await operator.approvals.list();
      if (items[0] !== undefined) return items[0];
      await sleep(2);
    }
  };
  return {
    desk,
    house,
    key,
    store,
    operator,
    question,
    agent: (options = {}, between) =>
      platformAgent(
        { policy: { maxSideEffect: "user_write", maxCostEffect: "llm_cost" }, store, ...options },
        { house, way, apiKey: key, ...(between && { between }) },
      ),
  };
}

/** What a call was refused with: which approval it takes. */
export async function approvalOf(call: Promise<unknown>): Promise<ApprovalRequiredError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isSimpleFunctionsError(error) && error instanceof ApprovalRequiredError) return error;
  throw error ?? new Error("it was answered");
}
