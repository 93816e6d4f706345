// What comes from a platform is outside data: its contracts are believed only as a whole, its answers only as far as they fit.
import { buildManifest, type ContractManifest, hashInput, type ToolDefinition } from "@spfunctions/contracts";
import { createMemoryStore, defineTool } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import { type Between, platformAgent, recordOf } from "../../test-data/platform-agent.ts";

type Manifest = { -readonly [Key in keyof ContractManifest]: ContractManifest[Key] };
const isCatalog = (request: Request) => request.url.endsWith("/api/contracts/tools");

/** A platform whose contracts somebody changes on the way. */
function forging(change: (manifest: Manifest) => unknown): Between {
  return async (request, pass) => {
    const response = await pass();
    if (!isCatalog(request)) return response;
    const manifest = (await response.json()) as Manifest;
    return Response.json(change(manifest) ?? manifest);
  };
}

/** The digest that fits these tools, however they came about. */
function fitting(manifest: Manifest): Manifest {
  const tools = manifest.tools.map(({ name, digest }) => ({ name, digest }));
  const { schemaVersion, mode } = manifest;
  return { ...manifest, digest: hashInput({ schemaVersion, mode, tools }) };
}

function renamed(name: string) {
  return (manifest: Manifest) => {
    const tools = manifest.tools.map((tool) => {
      if (tool.name !== "desk.read") return tool;
      const { digest: _, ...definition } = { ...tool, name, compatName: name.replaceAll(".", "_") };
      return { ...definition, digest: hashInput(definition) };
    });
    return fitting({ ...manifest, tools });
  };
}

describe("no contract is believed, and nothing called, where", () => {
  test.each<[string, (manifest: Manifest) => unknown]>([
    [
      "a tool was made to look harmless",
      (manifest) => {
        for (const tool of manifest.tools) if (tool.name === "desk.write") tool.sideEffect = "none";
      },
    ],
    [
      "and the digest of all was made to fit",
      (manifest) => {
        for (const tool of manifest.tools) if (tool.name === "desk.write") tool.sideEffect = "none";
        return fitting(manifest);
      },
    ],
    ["a tool was taken out", (manifest) => void manifest.tools.pop()],
    [
      "a tool is there twice",
      (manifest) => fitting({ ...manifest, tools: [...manifest.tools, ...manifest.tools] }),
    ],
    ["a tool has the name constructor.call", renamed("constructor.call")],
    ["a tool has the name tools.then", renamed("tools.then")],
    ["a tool has the name __proto__.x", renamed("__proto__.x")],
    ["a tool has a retired name", renamed("get_world_state")],
    ["a tool has a reserved name", renamed("events.search")],
    ["it is no manifest", () => ({ tools: [] })],
    ["it is of another version", (manifest) => ({ ...manifest, schemaVersion: "9" })],
  ])("%s", async (_, change) => {
    const desk = new DeskPack();
    const { agent, sent } = await platformAgent(
      {},
      { between: forging(change), platform: { packs: [desk.pack] } },
    );
    for (const act of [
      () => agent.call("desk.write", { text: "x" }),
      () => agent.tools.world.read(),
      () => agent.manifest(),
    ])
      expect((await rejectionOf(act())).code).toBe("invalid_manifest");
    expect([desk.runs, sent.every(({ what }) => what === "GET /api/contracts/tools")]).toStrictEqual([
      [],
      true,
    ]);
  });
});

const tool = (name: string, run: (input: unknown) => unknown = () => name) =>
  defineTool({
    name,
    description: "Says its own name.",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "api_cost",
    http: { method: "POST", path: `/api/own/${name.replaceAll(".", "/")}` },
    run,
  });

test("a tool may be called like what functions and objects have: each is reached by its own name", async () => {
  const names = [
    "call.apply",
    "bind.call",
    "name.length",
    "arguments.caller",
    "has_own.property",
    "tools.call",
  ];
  const { agent } = await platformAgent({}, { platform: { packs: [names.map((name) => tool(name))] } });
  const tree = agent.tools as unknown as Record<string, Record<string, () => Promise<{ output: unknown }>>>;
  for (const name of names) {
    const [first = "", second = ""] = name.split(".");
    expect([(await tree[first]?.[second]?.())?.output, (await agent.call(name)).output]).toStrictEqual([
      name,
      name,
    ]);
  }
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", "", "a", "desk.read "])
    expect((await rejectionOf(agent.call(name))).code).toBe("unknown_tool");
});

test("a platform may have very many tools", async () => {
  const definitions: ToolDefinition[] = Array.from({ length: 400 }, (_, at) => {
    const { digest: _digest, ...definition } = tool(`many.tool_${at}`).contract;
    return definition;
  });
  const manifest = buildManifest(definitions);
  const { agent } = await platformAgent({ mode: "inspectOnly", manifest });
  expect(await agent.explain("many.tool_399", {})).toMatchObject({
    outcome: "unchecked",
    unchecked: ["identity", "user_data.auth", "platform"],
  });
  expect((await agent.manifest()).tools).toHaveLength(400);
});

/** Answers calls of the desk instead of the platform. */
const saying =
  (body: unknown): Between =>
  (request, pass) =>
    request.url.includes("/api/desk/") ? Promise.resolve(Response.json(body)) : pass();

describe("an answer", () => {
  test("that does not fit its contract is given to nobody, and its effect has happened", async () => {
    const strict = defineTool({
      name: "desk.strict",
      description: "Answers with a number.",
      input: {},
      output: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      permissions: [],
      sideEffect: "user_write",
      costEffect: "none",
      http: { method: "POST", path: "/api/desk/strict" },
      run: () => ({ n: 1 }),
    });
    const store = createMemoryStore();
    const between = saying({ ok: true, data: { n: "many" }, meta: { requestId: "r" } });
    const { agent } = await platformAgent(
      { policy: { maxSideEffect: "user_write" }, store },
      { between, platform: { packs: [strict] } },
    );
    const error = await rejectionOf(agent.call("desk.strict", {}));
    expect([error.code, error.details?.["effectExecuted"]]).toStrictEqual(["invalid_output", true]);
    expect(await recordOf(store, "local", "call.settled")).toMatchObject({ status: "completed" });
  });

  test("without a receipt is an answer, and names nothing of the other side", async () => {
    const store = createMemoryStore();
    const between = saying({ ok: true, data: { fine: true }, meta: { requestId: "r" } });
    const { agent } = await platformAgent({ store }, { between, platform: { packs: [new DeskPack().pack] } });
    expect((await agent.call("desk.read", {})).output).toStrictEqual({ fine: true });
    expect(await recordOf(store, "local", "call.read")).not.toHaveProperty("externalOperationId");
  });

  test("with a receipt that is none is no answer of the platform", async () => {
    const between = saying({ ok: true, data: {}, meta: { requestId: "r", receipt: { callId: "call_1" } } });
    const { agent } = await platformAgent({}, { between, platform: { packs: [new DeskPack().pack] } });
    expect((await rejectionOf(agent.call("desk.read", {}))).code).toBe("upstream_error");
  });
});
