import { ContractViolationError, type JsonValue } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { toolWith } from "../../test-data/tool-samples.ts";
import * as executors from "./executors.ts";

const { bindExecutor, canReconcile, isBound, permit, timeLimitOf } = executors;
const context = {} as executors.ToolContext;
const execute = async (permitted: unknown, input: JsonValue) =>
  await executors.execute(permitted as executors.Permit, input, context);
const reconcile = async (permitted: unknown, input: JsonValue) =>
  await executors.reconcile(permitted as executors.Permit, input, context);
const violation = "a tool runs once for each permit, and not without one";

function spied() {
  const inputs: JsonValue[] = [];
  const tool = toolWith({
    run: (input) => {
      inputs.push(input as JsonValue);
      return "done";
    },
    reconcile: () => ({ status: "failed" }),
    timeoutMs: 5,
  });
  return { tool, inputs };
}

const refused = async (act: Promise<unknown>) => {
  const error: unknown = await act.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ContractViolationError);
  expect((error as Error).message).toBe(violation);
};

describe("a tool's function", () => {
  // proves PORT-13.2
  test("runs once for a permit, with what it was permitted for", async () => {
    const { tool, inputs } = spied();
    const permitted = permit(tool);
    expect(await execute(permitted, { a: 1 })).toBe("done");
    await refused(execute(permitted, { a: 2 }));
    await refused(reconcile(permitted, { a: 3 }));
    expect(inputs).toStrictEqual([{ a: 1 }]);
  });

  test("runs once also when two ask at the same moment", async () => {
    const { tool, inputs } = spied();
    const permitted = permit(tool);
    const results = await Promise.allSettled([execute(permitted, 1), execute(permitted, 2)]);
    expect(results.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected"]);
    expect(inputs).toStrictEqual([1]);
  });

  // proves PORT-13.14
  test("is asked what became of an effect with a permit of its own", async () => {
    const { tool, inputs } = spied();
    const permitted = permit(tool);
    expect(await reconcile(permitted, null)).toStrictEqual({ status: "failed" });
    await refused(execute(permitted, null));
    expect(inputs).toStrictEqual([]);
  });

  test("that fails has used up its permit", async () => {
    const tool = toolWith({
      run: () => {
        throw new Error("no");
      },
    });
    const permitted = permit(tool);
    await expect(execute(permitted, null)).rejects.toThrow("no");
    await refused(execute(permitted, null));
  });

  // proves PORT-5.9, PORT-13.4
  test("does not run for anything that only looks like a permit", async () => {
    const { tool, inputs } = spied();
    const real = permit(tool);
    const forgeries: unknown[] = [
      { tool },
      { ...real },
      Object.create(real),
      new Proxy(real, {}),
      structuredClone(real),
      tool,
      tool.contract,
      tool.contract.name,
      null,
      undefined,
    ];
    await Promise.all(forgeries.map((forgery) => refused(execute(forgery, 1))));
    expect(inputs).toStrictEqual([]);
    expect(Object.isFrozen(real)).toBe(true);
    expect(await execute(real, 1)).toBe("done");
  });

  test("is not found for what defineTool did not make, with a permit or without", async () => {
    const { tool, inputs } = spied();
    for (const stranger of [{ ...tool }, Object.create(tool) as object, new Proxy(tool, {}), tool.contract]) {
      expect(isBound(stranger)).toBe(false);
      await refused(execute(permit(stranger), 1));
    }
    expect(inputs).toStrictEqual([]);
  });
});

describe("what may be known of a function", () => {
  test("whether there is one, how long it may take, and whether it can be asked", () => {
    const { tool } = spied();
    expect([isBound(tool), timeLimitOf(tool), canReconcile(tool)]).toStrictEqual([true, 5, true]);
    const bare = toolWith();
    expect([isBound(bare), timeLimitOf(bare), canReconcile(bare)]).toStrictEqual([true, undefined, false]);
    for (const other of [null, undefined, "notes.read", 5, {}, () => 1]) expect(isBound(other)).toBe(false);
  });

  // proves PORT-13.16
  test("a tool's function is bound once: whoever binds another is refused", async () => {
    const { tool, inputs } = spied();
    expect(() => bindExecutor(tool, { run: () => "other" })).toThrow(ContractViolationError);
    expect(await execute(permit(tool), 1)).toBe("done");
    expect(inputs).toStrictEqual([1]);
  });
});
