// S1: a tool's contract is served without a key, put into prompts and kept with every run. One that holds a secret exists at no entry, and
// a secret that is held only later is not shown by it.
import { defineTool, govern, openReplay, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import { heldSecrets, isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import {
  createMemoryStore,
  type ModelAdapter,
  type ModelCompleteInput,
  newInstallationSecret,
  openInstallation,
  type Tool,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home } from "../packages/cli/test-data/run-sf.ts";

const installation = openInstallation(newInstallationSecret());
const held = "plum9-Orchard-77-quay";
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "key" } as const;
const place = "/input/properties/door/default";

function hold(): void {
  heldSecrets.add(held, "password");
  onTestFinished(() => heldSecrets.remove(held));
}

/** Its contract holds what is held in a test, or is going to be. */
function doorTool(): Tool {
  return defineTool({
    name: "doors.look",
    description: `Looks at a door; ${held} opens it.`,
    input: {
      type: "object",
      properties: { door: { type: "string", default: held } },
      additionalProperties: false,
    },
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    access: { anonymousAllowed: true },
    http: { method: "GET", path: "/api/doors" },
    run: () => ({ open: false }),
  });
}

async function refusalOf(act: () => unknown): Promise<SimpleFunctionsError> {
  try {
    await act();
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

async function expectRefused(act: () => unknown, where = "/description"): Promise<SimpleFunctionsError> {
  const error = await refusalOf(act);
  expect(error.message).toContain(`${where} holds what looks like a secret (password); take it out`);
  expect(JSON.stringify(error) + error.stack).not.toContain(held);
  return error;
}

describe("a contract that holds a secret is refused", () => {
  test("where the tool is defined, with its place and kind, and what to do", async () => {
    hold();
    const error = await refusalOf(doorTool);
    expect(error.code).toBe("invalid_manifest");
    expect(error.message).toMatch(
      /^invalid tool doors\.look: \/description holds what looks like a secret \(password\); take it out: /,
    );
    expect(error.details).toStrictEqual({
      path: "/description",
      tool: "doors.look",
      reason: "secret",
      kind: "password",
    });
    expect(JSON.stringify(error) + error.stack).not.toContain(held);
  });

  test("where a subagent is defined: in its objective, its description, and what it must answer with", async () => {
    hold();
    const spec = { name: "guard", objective: "Guard the door.", tools: [] };
    await expectRefused(() => subagent({ ...spec, objective: `Say ${held}.` }));
    await expectRefused(() => subagent({ ...spec, description: `Says ${held}.` }));
    const output = { type: "object", properties: { word: { const: held } } } as const;
    const error = await refusalOf(() => subagent({ ...spec, output }));
    expect(error.message).toContain("/properties/word/const holds what looks like a secret (password)");
    expect(JSON.stringify(error)).not.toContain(held);
  });

  test("by whoever is given a tool that was defined before the secret was held", async () => {
    const packs = [doorTool()];
    const store = createMemoryStore();
    const model = offline(() => "done");
    hold();
    await expectRefused(() => govern({ packs, policy: {}, principal, installation }));
    await expectRefused(async () => await openPlatform({ store, installation, packs }));
    await expectRefused(async () => {
      const runtime = new SimpleFunctionsRuntime({
        packs,
        model,
        principal,
        store,
        installation,
        policy: runPolicy,
      });
      await runtime.run({ objective: "look" });
    });
    const error = await expectRefused(() => new Spectator({ packs, model, principal, store, installation }));
    expect(error.details).toMatchObject({ tool: "doors.look", reason: "secret", kind: "password" });
  });

  test("by sf, which shows neither the tool nor the secret", async () => {
    const home = new Home({ SF_API_KEY: held.repeat(2) });
    onTestFinished(() => heldSecrets.remove(held.repeat(2)));
    const pack = home.write(
      "pack.mjs",
      `import { defineTool } from "${import.meta.resolve("@spfunctions/kernel")}";
export default [defineTool({ name: "doors.look", description: "Looks at a door.", input: { type: "object", properties: { door: { enum: ["${held.repeat(2)}"] } } },
  output: {}, permissions: [], sideEffect: "none", costEffect: "none", run: () => null })];`,
    );
    for (const argv of [
      ["call", "doors.look", "--pack", pack],
      ["explain", "doors.look", "--pack", pack],
    ]) {
      const { code, out, err } = await home.run(argv);
      expect(code).not.toBe(0);
      expect(err).toContain("/input/properties/door/enum/0 holds what looks like a secret (api_key)");
      expect(out + err).not.toContain(held);
    }
  });
});

const runPolicy = {
  maxCostEffect: "llm_cost",
  budget: { maxSteps: 4, maxToolCalls: 4 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const;

function offline(says: (input: ModelCompleteInput) => string): ModelAdapter {
  return {
    name: "writer",
    offline: true,
    complete: async (input) => ({
      text: says(input),
      toolCalls: [],
      finish: "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    }),
  };
}

describe("a secret that is held only once a platform is open", () => {
  test("is in no document that it serves, and its operator is told where it stands", async () => {
    const log: string[] = [];
    const platform = await openPlatform({
      store: createMemoryStore(),
      installation,
      packs: [doorTool()],
      log: (line) => void log.push(JSON.stringify(line)),
    });
    const documents = [
      "/api/contracts/tools",
      "/api/contracts/tools?mode=review",
      "/api/contracts/tools/doors.look",
      "/api/openapi.json",
    ];
    const get = async (path: string) => await platform.fetch(new Request(`http://localhost${path}`));
    // Also what was served, and kept for the next who asks.
    for (const path of documents) expect((await get(path)).status).toBe(200);
    hold();
    for (const path of documents) {
      const answer = await get(path);
      const text = await answer.text();
      expect([path, answer.status]).toStrictEqual([path, 503]);
      expect(JSON.parse(text)).toMatchObject({ ok: false, error: { code: "host_configuration_needed" } });
      expect(text).not.toContain(held);
      expect(text).not.toContain("/description");
    }
    expect(log.join("\n")).toContain("doors.look: /description holds what looks like a secret (password)");
    expect(log.join("\n")).not.toContain(held);
    await platform.close();
  });

  test("is not taken from there by a client, a direct runner or a runtime", async () => {
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [doorTool()] });
    const key = await platform.createKey("office", { name: "k", scopes: ["read"] });
    const client = connectEmbedded(platform, { apiKey: key.secret });
    const manifest = await client.manifest.list({});
    hold();
    await expectRefused(
      () =>
        new SimpleFunctionsAgent({
          policy: {},
          mode: "inspectOnly",
          manifest,
          installation,
        }),
    );
    const agent = new SimpleFunctionsAgent({ client, policy: {}, installation });
    const error = await refusalOf(async () => await agent.call("doors.look", {}));
    expect(error.code).toBe("host_configuration_needed");
    expect(JSON.stringify(error)).not.toContain(held);
    await agent.close();
    await platform.close();
  });

  test("is refused by a client whose platform does not know that it is one", async () => {
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [doorTool()] });
    const key = await platform.createKey("office", { name: "k", scopes: ["read"] });
    const served = await (await platform.fetch(new Request("http://localhost/api/contracts/tools"))).text();
    const one = await (
      await platform.fetch(new Request("http://localhost/api/contracts/tools/doors.look"))
    ).text();
    const other = {
      fetch: async (request: Request) =>
        new Response(request.url.endsWith("doors.look") ? one : served, {
          headers: { "content-type": "application/json" },
        }),
    };
    const client = connectEmbedded(other, { apiKey: key.secret });
    hold();
    await expectRefused(async () => await client.manifest.list({}));
    const error = await expectRefused(async () => await client.manifest.get({ name: "doors.look" }));
    expect(error.code).toBe("invalid_manifest");
    await platform.close();
  });
});

test("a secret that is held only once a runtime is open is in no prompt", async () => {
  const store = createMemoryStore();
  const asked: string[] = [];
  const model = offline((input) => {
    asked.push(JSON.stringify(input.tools));
    return "done";
  });
  await using runtime = new SimpleFunctionsRuntime({
    packs: [doorTool()],
    model,
    principal,
    store,
    installation,
    policy: runPolicy,
    tools: { mode: "preload-only", preload: ["doors.look"] },
  });
  await runtime.run({ objective: "look" });
  hold();
  await runtime.run({ objective: "look" }).catch(() => undefined);
  expect(asked[0]).toContain(held);
  expect(asked.slice(1).join("\n")).not.toContain(held);
});

test("what was recorded before with such a contract is still read and replayed", async () => {
  const lines: string[] = [];
  const office = govern({
    packs: [doorTool()],
    policy: {},
    principal,
    installation,
    trace: (line) => void lines.push(line),
  });
  await office.call("doors.look" as never, { door: "front" });
  await office.close();
  hold();
  const replay = await openReplay([lines.join("\n")]);
  await using again = govern({ replay, policy: {}, principal, installation });
  expect((await again.call("doors.look" as never, { door: "front" })).output).toStrictEqual({
    open: false,
  });
});

test("a place in a contract is told by a pointer that its author can follow", async () => {
  hold();
  const error = await refusalOf(() =>
    defineTool({
      name: "doors.look",
      description: "Looks at a door.",
      input: { type: "object", properties: { door: { type: "string", default: held } } },
      output: {},
      permissions: [],
      sideEffect: "none",
      costEffect: "none",
      run: () => null,
    }),
  );
  expect(error.details?.path).toBe(place);
});
