// For any input, right, nearly right or wrong, a tool of the markets answers or refuses: nothing that is sent is a fault of ours.
import { encodeToolInput, isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { badInputHouse, doorOf, type Input, sendWith } from "./test-data/bad-input-house.ts";
import { type Shape, tricks } from "./test-data/wrong-values.ts";

test("every string of every tool takes any trick there is as a string", async () => {
  const at = await badInputHouse();
  let sent = 0;
  for (const tool of at.tools) {
    const { properties, inQuery, route } = doorOf(at, tool);
    for (const [name, { type }] of Object.entries(properties)) {
      if (type !== "string") continue;
      for (const trick of tricks) {
        const isWord = inQuery || route.params.includes(name);
        await sendWith(at, tool, name, isWord ? trick : JSON.stringify(trick));
        sent++;
      }
    }
  }
  expect(sent).toBeGreaterThan(500);
  await at.isWell();
});

/** Anything that might be sent for a shape: often right, sometimes nearly, sometimes not at all. */
function anythingFor(shape: Shape): fc.Arbitrary<unknown> {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(...tricks), fc.double({ noNaN: true }));
  const right = rightFor(shape);
  return fc.oneof({ arbitrary: right, weight: 8 }, { arbitrary: odd, weight: 1 });
}

function rightFor(shape: Shape): fc.Arbitrary<unknown> {
  const { minimum: min = -1000, maximum: max = Number.MAX_SAFE_INTEGER } = shape;
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.type === "boolean") return fc.boolean();
  if (shape.type === "integer") return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
  if (shape.type === "number") return fc.double({ min, max, noNaN: true });
  if (shape.type === "array") return fc.array(anythingFor(shape.items ?? {}), { maxLength: 3 });
  if (shape.properties !== undefined) return inputFor(shape);
  return fc.string({ unit: "binary", maxLength: 20 });
}

function inputFor({ properties = {}, required = [] }: Shape): fc.Arbitrary<Input> {
  const members = Object.entries(properties).map(([name, one]) => [name, anythingFor(one)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}

describe.each(["socket", "embedded"] as const)("for any input (%s)", (way) => {
  test("a tool answers, or refuses with 4xx; and so does the next", async () => {
    const at = await badInputHouse(way);
    const numRuns = way === "socket" ? 5 : 12;
    const sent: Record<string, number> = {};
    for (const tool of at.tools) {
      sent[tool.name] = 0;
      const { route, sound } = doorOf(at, tool);
      const anything = inputFor(tool.input);
      const mixed = fc.tuple(anything, fc.boolean()).map(([one, isNear]) => ({
        ...(isNear && sound),
        ...one,
        ...(isNear && "ticker" in sound && { ticker: at.ticker }),
      }));
      const property = fc.asyncProperty(mixed, async (input) => {
        const encoded = encodedOf(route, input);
        // What is left out is made up for: every run has sent something.
        fc.pre(encoded !== undefined);
        sent[tool.name] = (sent[tool.name] ?? 0) + 1;
        const { status } = await at.send(encoded.path, route.method, encoded.body);
        expect(status).toBeLessThan(500);
      });
      await fc.assert(property, { numRuns });
    }
    expect(sent).toStrictEqual(Object.fromEntries(at.tools.map(({ name }) => [name, numRuns])));
    await at.isWell();
  });
});

/** Nothing, where it cannot be said in an address. */
function encodedOf(
  route: Parameters<typeof encodeToolInput>[0],
  input: Input,
): ReturnType<typeof encodeToolInput> | undefined {
  try {
    return encodeToolInput(route, input);
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.code === "invalid_input") return undefined;
    throw error;
  }
}
