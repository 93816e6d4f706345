import { defineTool, govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { createMemoryStore } from "@spfunctions/kernel";

const change = defineTool({
  name: "world.change",
  description: "Changes something.",
  input: { type: "object" },
  output: {},
  permissions: ["world"],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/world" },
  run: () => ({ changed: true }),
});

type Call = { readonly kind: string; readonly input: unknown };

/** Makes these calls of a tool that changes something. Answers those that stop because a part of them is hidden, with what is. */
export async function stoppedCalls(calls: readonly Call[]): Promise<string[]> {
  const world = govern({
    packs: [[change]],
    policy: { maxSideEffect: "user_write" },
    principal: { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" },
    store: createMemoryStore(),
  });
  const stopped: string[] = [];
  for (const { kind, input } of calls) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await world.call("world.change", input);
    } catch (error) {
      if (!isSimpleFunctionsError(error) || error.details?.["reason"] !== "hidden_parts") throw error;
      stopped.push(`${kind}: ${JSON.stringify(error.details["hidden"])}`);
    }
  }
  return stopped;
}
