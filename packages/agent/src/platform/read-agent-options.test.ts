// What could not work, or would be misread, is refused when an agent is made, before anything is asked of anybody.
import { buildManifest, type ErrorCode } from "@spfunctions/contracts";
import { defineTool, memoryTrace } from "@spfunctions/kernel";
import { SimpleFunctions } from "@spfunctions/sdk";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import type { AgentOptions } from "./agent-options.ts";
import { SimpleFunctionsAgent } from "./simple-functions-agent.ts";

const apiKey = `sf_live_${"k".repeat(32)}`;
const neverSends = {
  fetch: () => {
    throw new Error("something was sent");
  },
};
const client = new SimpleFunctions({ apiKey, ...neverSends });
const stranger = new SimpleFunctions(neverSends);
const definition = defineTool({
  name: "desk.write",
  description: "Writes.",
  input: {},
  output: {},
  permissions: [],
  sideEffect: "user_write",
  costEffect: "none",
  run: () => null,
}).contract;
const { digest: _, ...desk } = definition;
const manifest = buildManifest([desk]);

const make = (options: unknown) => new SimpleFunctionsAgent(options as AgentOptions);

describe("refused is", () => {
  test.each<[string, unknown, ErrorCode, string]>([
    ["no client at all", {}, "missing_api_key", "SF_API_KEY"],
    ["nothing at all", undefined, "missing_api_key", "SF_API_KEY"],
    ["what is no object", null, "invalid_input", "options are an object"],
    ["a client without a key", { client: stranger }, "missing_api_key", "SF_API_KEY"],
    ["an option that is nearly one", { client, polcy: {} }, "invalid_input", "did you mean policy"],
    ["an option that is none", { client, zzzzzzzzzz: 1 }, "invalid_input", "known are client"],
    ["a mode that there is not", { client, mode: "dryRun" }, "invalid_input", "mode is one of live"],
    ["a mode that is no text", { client, mode: null }, "invalid_input", "mode is one of live"],
    [
      "a policy with a key that is nearly one",
      { client, policy: { maxSideEfect: "none" } },
      "invalid_policy",
      "maxSideEffect",
    ],
    [
      "a policy with a class that there is not",
      { client, policy: { maxSideEffect: "all" } },
      "invalid_policy",
      "/maxSideEffect",
    ],
    ["no policy in its place", { client, policy: null }, "invalid_policy", "policy"],
    ["a manifest that is none", { client, manifest: { tools: [] } }, "invalid_manifest", "schemaVersion"],
    [
      "a manifest that was changed",
      { client, manifest: { ...manifest, digest: `sha256:${"0".repeat(64)}` } },
      "invalid_manifest",
      "digest",
    ],
    ["an account that cannot be one", { client, account: "" }, "invalid_input", "account"],
    ["a file's name for a trace", { client, trace: "./run.jsonl" }, "invalid_input", "openFileTrace(path)"],
    [
      "half a place for a trace",
      { client, trace: { append: () => undefined } },
      "invalid_input",
      "memoryTrace()",
    ],
    [
      "something to replay where calls are live (R1)",
      { client, replay: [""] },
      "invalid_input",
      "mode replayOnly",
    ],
    [
      "something to replay where calls are inspected",
      { mode: "inspectOnly", manifest, replay: [] },
      "invalid_input",
      "mode replayOnly",
    ],
    ["nothing to replay", { mode: "replayOnly" }, "host_configuration_needed", "replay: ["],
    [
      "a trace that only takes, to replay from",
      { mode: "replayOnly", trace: () => undefined },
      "host_configuration_needed",
      "replay: [",
    ],
    ["a text in place of a list", { mode: "replayOnly", replay: "{}" }, "invalid_input", "replay is a list"],
    [
      "a list of what is no trace",
      { mode: "replayOnly", replay: ["", 5] },
      "invalid_input",
      "text of a trace",
    ],
    ["nothing to inspect", { mode: "inspectOnly" }, "host_configuration_needed", "a manifest"],
  ])("%s", (_what, options, code, words) => {
    const error = refusalOf(() => make(options));
    expect([error.code, error.message]).toStrictEqual([code, expect.stringContaining(words)]);
  });
});

test("each mode is taken with what it needs", () => {
  expect(make({ client }).mode).toBe("live");
  expect(make({ client: stranger, mode: "inspectOnly" }).mode).toBe("inspectOnly");
  expect(make({ manifest, mode: "inspectOnly" }).mode).toBe("inspectOnly");
  expect(make({ mode: "replayOnly", trace: memoryTrace() }).mode).toBe("replayOnly");
  expect(make({ mode: "replayOnly", replay: [memoryTrace(), ""] }).mode).toBe("replayOnly");
});

test("G3: what its owner does to a policy or a manifest afterwards changes nothing", async () => {
  const policy: { maxSideEffect: "none" | "live_trade"; denyTools: string[] } = {
    maxSideEffect: "none",
    denyTools: ["desk.*"],
  };
  const given = structuredClone(manifest);
  const options = { mode: "inspectOnly", manifest: given, policy } as const;
  await using agent = new SimpleFunctionsAgent(options);
  policy.maxSideEffect = "live_trade";
  policy.denyTools.length = 0;
  given.tools.length = 0;
  expect(await agent.explain("desk.write")).toMatchObject({ outcome: "deny", gate: "deny" });
});
