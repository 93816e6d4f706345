// Whatever shape a child's answer must have, the call that waits for it comes to that; what cannot be said inside another schema is
// refused when the subagent is defined.
import { expect, test } from "vitest";
import { z } from "zod";
import { childSpec, openFamily, type Parts, start } from "../../test-data/family.ts";
import { subagent } from "./subagent.ts";

type Node = { v: string; kids: Node[] };
const node: z.ZodType<Node> = z.strictObject({
  v: z.string(),
  get kids() {
    return z.array(node);
  },
});
const value = { v: "a", kids: [{ v: "b", kids: [] }] };
const members = (ref: string) => ({
  type: "object",
  properties: { v: { type: "string" }, kids: { type: "array", items: { $ref: ref } } },
  required: ["v", "kids"],
  additionalProperties: false,
});

const schemas = {
  "in zod that contains itself": node,
  "in zod that contains it in a list": z.strictObject({ v: z.string(), kids: z.array(node) }),
  "that refers to its whole": members("#"),
  "with $defs": { $defs: { N: members("#/$defs/N") }, $ref: "#/$defs/N" },
  "with definitions": { definitions: { N: members("#/definitions/N") }, $ref: "#/definitions/N" },
  "marked draft-07": {
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: { N: members("#/definitions/N") },
    $ref: "#/definitions/N",
  },
  "that refers to a property": {
    ...members("#"),
    properties: {
      v: { type: "string" },
      kids: { type: "array", items: { $ref: "#" } },
      w: { $ref: "#/properties/v" },
    },
  },
  "with data that looks like a reference": {
    ...members("#"),
    properties: { ...members("#").properties, w: { const: { $ref: "#nowhere" } } },
  },
  "that says which draft it is of": {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...members("#"),
  },
} as const;

test.each(Object.entries(schemas))("a schema %s holds for what its call comes to", async (_what, output) => {
  const wrong = JSON.stringify({ v: "a", kids: [{ v: 1 }] });
  const parts: Parts = { parent: [[start("digger")], "done"], digger: [wrong, JSON.stringify(value)] };
  const desk = openFamily(parts, [childSpec("digger", { output: output as never })]);
  expect(await (await desk.start()).wait()).toMatchObject({
    status: "completed",
    children: [{ status: "completed", spent: { steps: 2 } }],
  });
  const told = desk.model.asked.at(-1)?.messages.at(-1)?.text ?? "";
  expect(JSON.parse(told)).toMatchObject({ status: "completed", output: value });
  await desk.runs.close();
});

test.each([
  ["$id", { $id: "https://x.example/n", ...members("#") }],
  ["$anchor", { $anchor: "n", ...members("#n") }],
  ["$ref", members("https://x.example/n")],
  ["$dynamicRef", { type: "array", items: { $dynamicRef: "#n" } }],
])("a schema with %s by name is refused, and it is said how", (word, output) => {
  expect(() => subagent({ name: "digger", objective: "dig", output: output as never })).toThrow(
    new RegExp(`its output refers to something by name \\(\\${word}\\)`),
  );
});
