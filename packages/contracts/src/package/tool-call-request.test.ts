import { describe, expect, test } from "vitest";
import {
  resolvedToolCall,
  toolCallRequest,
  toolExecutionRequest,
  toolRegistrySnapshot,
} from "../../test-data/package-samples.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import {
  resolvedToolCallSchema,
  toolCallRequestSchema,
  toolExecutionRequestSchema,
} from "./tool-call-request.ts";
import { toolRegistrySnapshotSchema } from "./tool-registry-snapshot.ts";

// proves PORT-2.1, PORT-2.3, PORT-2.5, PORT-8.1, PORT-8.2, PORT-8.3, PORT-8.4, PORT-8.5, PORT-8.6, PORT-8.7
// proves PORT-8.10, PORT-10.1, PORT-10.2, PORT-10.4, PORT-11.1, PORT-11.2, PORT-11.3, PORT-11.4, PORT-11.5
describe("a call on its way to an executor", () => {
  keepsItsShape("request", toolCallRequestSchema, toolCallRequest, { optional: ["idempotencyKey"] });
  keepsItsShape("resolved call", resolvedToolCallSchema, resolvedToolCall);
  keepsItsShape("execution request", toolExecutionRequestSchema, toolExecutionRequest);
  keepsItsShape("snapshot", toolRegistrySnapshotSchema, toolRegistrySnapshot);

  // proves PORT-10.3
  test("takes the route of the tool that it names", () => {
    const request = { ...toolCallRequest, canonicalToolName: "orders.cancel" };
    expect(problems(resolvedToolCallSchema, { ...resolvedToolCall, request })).toStrictEqual([
      "route/canonicalToolName: a call takes the route of the tool that it names",
    ]);
  });

  test.each([
    ["callId", "call_0190bbbb", "the intent is that of the call"],
    ["tool", "orders.cancel", "the intent names the tool of the route"],
    ["sideEffect", "none", "the intent has the effect class of the route"],
  ])("has an intent with the same %s", (field, other, message) => {
    const effectIntent = { ...toolExecutionRequest.effectIntent, [field]: other };
    expect(problems(toolExecutionRequestSchema, { ...toolExecutionRequest, effectIntent })).toStrictEqual([
      `effectIntent/${field}: ${message}`,
    ]);
  });
});

function problems(
  schema: typeof resolvedToolCallSchema | typeof toolExecutionRequestSchema,
  value: unknown,
): string[] | undefined {
  return schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join("/")}: ${message}`);
}
