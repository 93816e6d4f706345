import { expect, test } from "vitest";
import { agentEventSchema } from "./agent-event.ts";
import { endsRun } from "./ends-run.ts";

test("a run ends with these events, and with no other", () => {
  const types = agentEventSchema.options.map(({ shape }) => shape.type.value);
  expect(types.filter((type) => endsRun({ type }))).toStrictEqual(["run.completed", "run.failed"]);
});
