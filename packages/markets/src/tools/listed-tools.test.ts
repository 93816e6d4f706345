import { buildManifest, isReservedName, type ToolDefinition } from "@spfunctions/contracts";
import { registerPacks } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { failureOf, governedDesk } from "../../test-data/governed-desk.ts";
import { tradingDesk } from "../../test-data/trading-desk.ts";
import { listedTools } from "./listed-tools.ts";

const names = [
  ["auth.status", "forbidden"],
  ["events.search", "deferred"],
  ["intents.propose", "forbidden"],
  ["investigations.create", "deferred"],
  ["market.related", "deferred"],
  ["webhooks.create", "deferred"],
] as const;

function definitions(): ToolDefinition[] {
  return listedTools().map(({ contract }) => {
    const { digest: _, ...definition } = contract;
    return definition;
  });
}

test("the names that are spoken for are listed for review, each with its status, and by no other name", () => {
  const { tools } = registerPacks([listedTools()]).manifest;
  expect(tools.map(({ name, status }) => [name, status])).toStrictEqual(names);
  expect(tools.map(({ name }) => name).filter((name) => !isReservedName(name))).toStrictEqual([]);
});

// proves KEY-10.24, KEY-10.25, KEY-10.26, KEY-10.27
test("none of them is in the manifest that is in force, offered to an agent, or reached by a route", () => {
  expect(buildManifest(definitions()).tools).toStrictEqual([]);
  const ways = definitions().map(({ agent, http, sdk }) => ({ callable: agent.callable, http, sdk }));
  expect(ways).toStrictEqual(names.map(() => ({ callable: false, http: undefined, sdk: undefined })));
});

// proves KEY-24.8, KEY-24.9, KEY-24.10, KEY-24.11, KEY-24.12
// proves RUN-3.10, RUN-3.11, RUN-3.12, RUN-3.13, RUN-3.14
test.each(names)("G1: %s is called by nobody, whatever the policy", async (name) => {
  const governed = governedDesk(tradingDesk());
  expect((await failureOf(governed.call(name, {}))).code).toBe("tool_not_active");
});

test.each(["get_world_state", "get_regime_history"])("%s is no tool, not even for review", async (name) => {
  const governed = governedDesk(tradingDesk());
  expect((await failureOf(governed.call(name, {}))).code).toBe("unknown_tool");
});
