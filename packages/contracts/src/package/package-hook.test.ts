import { describe, expect, test } from "vitest";
import { packageHook } from "../../test-data/package-samples.ts";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { hookPhases, hookPoints, packageHookSchema } from "./package-hook.ts";

describe("a hook", () => {
  test("is accepted as it is, and with an unknown key refused", () => {
    expect(packageHookSchema.parse(packageHook)).toStrictEqual(packageHook);
    expect(acceptedBy(packageHookSchema, [{ ...packageHook, run: "rm" }])).toStrictEqual([]);
  });

  test("has an id, a version and a point", () => {
    const { id: _i, ...nameless } = packageHook;
    const { version: _v, ...versionless } = packageHook;
    const { point: _p, ...pointless } = packageHook;
    expect(acceptedBy(packageHookSchema, [nameless, versionless, pointless])).toStrictEqual([]);
  });

  test("that says no more is a guard, of order 0", () => {
    const { id, version, point } = packageHook;
    expect(packageHookSchema.parse({ id, version, point })).toStrictEqual({
      id,
      version,
      point,
      phase: "guard",
      order: 0,
    });
  });

  test("is asked at one of these points, in one of these phases", () => {
    expect(hookPoints).toStrictEqual([
      "before_model",
      "after_model",
      "before_tool_call",
      "after_tool_call",
      "on_approval",
      "on_stop",
    ]);
    expect(hookPhases).toStrictEqual(["change", "guard", "observe"]);
  });

  test("at an unknown point is refused with those that there are", () => {
    const { error } = packageHookSchema.safeParse({ ...packageHook, point: "beforeToolCall" });
    expect(error?.issues.map(({ path, message }) => ({ path, message }))).toStrictEqual([
      { path: ["point"], message: `unknown hook point; there are: ${hookPoints.join(", ")}` },
    ]);
  });
});
