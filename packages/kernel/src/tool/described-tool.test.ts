// A tool that is known by its contract alone is judged by that contract, and runs only on a way that somebody gives it.
import type { ContractTool } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { codeOf, openDesk, outputOf } from "../../test-data/call-desk.ts";
import type { ToolContext } from "../call/executors.ts";
import { defineTool } from "./define-tool.ts";
import { describedTool } from "./described-tool.ts";

const defined = defineTool({
  name: "far.write",
  description: "Writes, far away.",
  input: { type: "object", properties: { n: { type: "integer", default: 3 } }, additionalProperties: false },
  output: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
  permissions: ["far"],
  sideEffect: "user_write",
  costEffect: "none",
  run: () => {
    throw new Error("the definition's own function has run");
  },
});
const { contract } = defined;

/** As it comes from another process. */
const received = (): ContractTool => JSON.parse(JSON.stringify(contract)) as ContractTool;

test("it has the contract that it was made of, and nobody can change it there", () => {
  const given = received();
  const tool = describedTool(given);
  Object.assign(given, { sideEffect: "none" });
  expect(tool.contract).toStrictEqual(contract);
  expect([Object.isFrozen(tool), Object.isFrozen(tool.contract)]).toStrictEqual([true, true]);
});

test("its input is checked and filled in, and its output checked, by its contract", async () => {
  const sent: unknown[] = [];
  let answer: unknown = { ok: true };
  const tool = describedTool(received(), {
    run: (input) => {
      sent.push(input);
      return answer;
    },
  });
  const desk = openDesk({ packs: [tool] });
  expect(outputOf(await desk.call({ tool: "far.write" }))).toStrictEqual({ ok: true });
  expect(codeOf(await desk.call({ tool: "far.write", input: { n: "x" } }))).toBe("invalid_input");
  answer = { ok: "perhaps" };
  expect(codeOf(await desk.call({ tool: "far.write", input: { n: 1 } }))).toBe("invalid_output");
  expect(sent).toStrictEqual([{ n: 3 }, { n: 1 }]);
});

test("without a way to it, it is explained and does not run", async () => {
  const desk = openDesk({ packs: [describedTool(received())] });
  expect(desk.seat.explain("far.write", {})).toMatchObject({ outcome: "allow" });
  const outcome = await desk.call({ tool: "far.write" });
  expect([codeOf(outcome), outcome.type]).toStrictEqual(["live_disabled", "failed"]);
});

test("two processes that know the same contract judge by the same law: it makes no other manifest", () => {
  const seats = [describedTool(received()), defined].map((tool) => openDesk({ packs: [tool] }).seat);
  expect(seats[0]?.manifest).toStrictEqual(seats[1]?.manifest);
  expect(seats[0]?.packageFingerprint).toBe(seats[1]?.packageFingerprint);
});

describe("refused is a contract that", () => {
  test.each<[string, (given: ContractTool) => object]>([
    ["was made to look harmless", (given) => ({ ...given, sideEffect: "none" })],
    ["has another's digest", (given) => ({ ...given, digest: `sha256:${"0".repeat(64)}` })],
    ["has none", ({ digest: _digest, ...given }) => given],
    ["has something more", (given) => ({ ...given, isAdmin: true })],
    ["has a name that no tool may have", (given) => ({ ...given, name: "constructor.call" })],
    ["is none", () => ({})],
  ])("%s", (_, change) => {
    expect(refusalOf(() => describedTool(change(received()) as ContractTool)).code).toBe("invalid_manifest");
  });
});

test("X1: the way says how often it may be taken, and what is given up on it is unknown; the contract and its digest stay", async () => {
  const idempotency = { type: "key", keyRetentionMs: 1000 } as const;
  const seen: ToolContext[] = [];
  const tool = describedTool(received(), {
    idempotency,
    isElsewhere: true,
    run: async (_, context) => {
      seen.push(context);
      await new Promise<never>(() => {});
    },
  });
  expect(tool.contract).toStrictEqual(contract);
  const desk = openDesk({ packs: [tool] });
  const call = desk.call({ tool: "far.write", timeoutMs: 50 });
  await expect.poll(() => seen.length).toBe(1);
  expect(seen[0]?.timeoutMs).toBe(50);
  desk.clock.advance(50);
  expect(codeOf(await call)).toBe("timeout");
  expect(await desk.seat.unknown()).toMatchObject([{ tool: "far.write" }]);
  const intended = (await desk.records()).find(({ kind }) => kind === "call.intended");
  expect(intended).toMatchObject({ idempotency, toolDigest: contract.digest });
});
