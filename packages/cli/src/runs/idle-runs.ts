import { type Installation, type ModelAdapter, Runs, type Store } from "@spfunctions/kernel";
import { operatorOf } from "../seat/caller.ts";

/** The runs of an account, for whoever looks at them, stops them and decides for them: under its package none ever goes on. */
export function idleRuns(store: Store, installation: Installation, account: string, user?: string): Runs {
  return new Runs({
    packs: [],
    levels: [{ level: "agent", policy: {} }],
    principal: operatorOf(account, user),
    agentId: "operator",
    model: { adapter: nobody },
    store,
    installation,
  });
}

const nobody: ModelAdapter = {
  name: "nobody",
  complete: async () => {
    throw new Error("nobody is asked here");
  },
};
