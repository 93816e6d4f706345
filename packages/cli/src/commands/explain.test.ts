import { existsSync, readdirSync } from "node:fs";
import { gates, verdictSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const pack = ["--pack", notesPack];
const add = ["explain", "notes.add", ...pack, "--input", '{"text":"x"}'];

describe("sf explain", () => {
  test("prints the sixteen gates as a ladder, the one that stopped, and what would have allowed it", async () => {
    const { code, out, err } = await new Home().run(add);
    expect({ code, err }).toStrictEqual({ code: 3, err: "" });
    expect(out).toBe(`notes.add
   ✓  1  tool.exists
   ✓  2  tool.status
   ✓  3  agent.callable
   ✓  4  identity
   ✓  5  forbidden.risk
   ✓  6  deny
   ✓  7  allow
▶  ✗  8  max.sideEffect   its side effect is user_write, and the agent's policy allows none
   ✓  9  max.costEffect
   – 10  user_data.auth
   – 11  budget
   · 12  input
   · 13  trade
   · 14  capability
   · 15  pre_tool
   · 16  approval
✓ passed  ✗ stopped  – not applicable  · not checked

refused at gate max.sideEffect (policy_denied): its side effect is user_write, and the agent's policy allows none
what would allow it: set maxSideEffect to "user_write"
`);
  });

  test("exits with 0 where the call would be allowed, 3 refused, 4 asked for", async () => {
    const home = new Home();
    const writing = home.write("write.json", { maxSideEffect: "user_write" });
    const asking = home.write("ask.json", {
      maxSideEffect: "user_write",
      approvals: { requireForSideEffectAtOrAbove: "user_write" },
    });
    const lastLines = async (...argv: string[]) => {
      const { code, out } = await home.run(argv);
      return [code, ...out.trimEnd().split("\n\n").slice(-1)];
    };
    expect(await lastLines(...add, "--policy", writing)).toStrictEqual([0, "allowed: no gate stopped it"]);
    expect(await lastLines("explain", "notes.add", ...pack, "--policy", writing)).toStrictEqual([
      0,
      "unchecked: input, trade, capability, pre_tool, approval; nothing else stopped it\nto have them asked: give --input",
    ]);
    expect(await lastLines(...add, "--policy", asking)).toStrictEqual([
      4,
      "a person must approve at gate approval (approval_required): a person must approve side effects from user_write up\nwhat would allow it: a person with an operator credential must approve exactly this call",
    ]);
    expect(await lastLines(...add, "--policy", writing, "--scope", "read")).toMatchObject([
      3,
      expect.stringContaining("the principal's scopes (read) do not include the side effect user_write"),
    ]);
    expect(await lastLines("explain", "notes.read", ...pack, "--input", '{"id":"7"}')).toMatchObject([
      3,
      expect.stringContaining("refused at gate input (invalid_input): /id"),
    ]);
    expect(await lastLines("explain", "notes.raed", ...pack)).toMatchObject([
      3,
      expect.stringContaining("what would allow it: did you mean notes.read or "),
    ]);
  });

  test("with --json gives the whole verdict", async () => {
    const { code, out } = await new Home().run([...add, "--json"]);
    const verdict = verdictSchema.parse(JSON.parse(out));
    expect({ code, gate: verdict.gate, gates: verdict.gates.map(({ gate }) => gate) }).toStrictEqual({
      code: 3,
      gate: "max.sideEffect",
      gates: [...gates],
    });
  });

  test("with --schema prints what the input must look like, which is where a refused input is sent to", async () => {
    const home = new Home();
    const asked = await home.run(["explain", "notes.read", ...pack, "--schema"]);
    expect({ code: asked.code, schema: JSON.parse(asked.out) as unknown }).toMatchObject({
      code: 0,
      schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    });
    const hint = `see the input schema of notes.read: sf explain notes.read ${pack.join(" ")} --schema\n`;
    const wrong = ["notes.read", ...pack, "--input", '{"id":"7"}'];
    expect((await home.run(["explain", ...wrong])).out).toContain(hint);
    expect((await home.run(["call", ...wrong])).err).toContain(hint);
    expect(await home.run(["explain", "notes.raed", ...pack, "--schema"])).toMatchObject({
      code: 3,
      out: "",
      err: expect.stringMatching(/^error unknown_tool: .*\n {2}did you mean: notes\.read/),
    });
  });

  test("runs nothing and leaves nothing behind", async () => {
    const home = new Home();
    const policy = home.write("write.json", { maxSideEffect: "user_write" });
    expect((await home.run([...add, "--policy", policy])).code).toBe(0);
    expect([readdirSync(home.path("home")), existsSync(home.path("notes"))]).toStrictEqual([[], false]);
  });

  test("never disagrees with the call: the same verdict, digests included", async () => {
    const home = new Home();
    const trade = {
      allowedVenues: ["kalshi"],
      maxOrderCostCents: 1,
      maxQuantity: 1,
      confirmToken: "do it now",
    };
    for (const policy of [{}, { maxSideEffect: "user_write" }, { denyTools: ["notes.*"] }, { trade }]) {
      home.write("policy.json", policy);
      const rest = ["notes.add", ...pack, "--policy", "policy.json", "--input", '{"text":"x"}', "--json"];
      const called = await home.run(["call", ...rest]);
      const explained = await home.run(["explain", ...rest]);
      const { receipt } = JSON.parse(called.out) as { receipt: { verdict: unknown } };
      expect(JSON.parse(explained.out)).toStrictEqual(receipt.verdict);
    }
  });

  test("is coloured for a person at a terminal who has not set NO_COLOR, and for nobody else", async () => {
    const home = new Home();
    const terminal = { isTerminal: { stdout: true, stderr: true } };
    const [plain, coloured, refused, unset] = await Promise.all([
      home.run(add),
      home.run(add, terminal),
      home.run(add, { ...terminal, env: { NO_COLOR: "1" } }),
      home.run(add, { ...terminal, env: { NO_COLOR: "" } }),
    ]);
    expect(coloured.out).toContain("\u001b[31m✗\u001b[39m");
    expect(unset.out).toBe(coloured.out);
    expect(refused.out).toBe(plain.out);
    expect(coloured.out.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain.out);
  });
});
