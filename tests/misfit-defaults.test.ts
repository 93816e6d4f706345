// A default that does not fit its own schema is not filled in, so that a call that leaves the member out is made.
import { defineTool, govern } from "@spfunctions/agent";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { afterEach, expect, test, vi } from "vitest";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;
afterEach(() => void vi.restoreAllMocks());

let defined = 0;

/** Calls a tool with these members twice, and gives back what it got and which warnings there were. */
async function callTwice(properties: object, input: object = {}, more: object = {}) {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  const name = `notes.list${++defined}`;
  const got: unknown[] = [];
  const list = defineTool({
    name,
    description: "Lists notes.",
    input: { type: "object", properties, additionalProperties: false, ...more } as { type: "object" },
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: (given) => {
      got.push(given);
      return {};
    },
  });
  const office = govern({ packs: [list], policy: {}, principal, store: createMemoryStore(), installation });
  await office.call(name, input);
  await office.call(name, input);
  await office.close();
  return {
    got,
    warnings: warn.mock.calls.map(([message]) => String(message).replaceAll(name, "notes.list")),
  };
}

const note = (member: string) =>
  `the default of ${member} of the tool notes.list does not fit its own schema and is not filled in; change the default, or the type that the schema allows`;

test.each<[string, object, object, string]>([
  ["null beside a plain type", { cursor: { type: "string", default: null } }, {}, "cursor"],
  ["a text beside a number", { limit: { type: "integer", default: "10" } }, {}, "limit"],
  ["a value that is none of the enum", { order: { enum: ["up", "down"], default: "" } }, {}, "order"],
  ["a number out of bounds", { limit: { type: "integer", minimum: 1, default: 0 } }, {}, "limit"],
  [
    "an object whose own member is missing",
    { filter: { type: "object", required: ["by"], properties: { by: { type: "string" } }, default: {} } },
    {},
    "filter",
  ],
  [
    "a default behind a reference",
    { cursor: { $ref: "#/$defs/cursor" } },
    { $defs: { cursor: { type: "string", default: null } } },
    "cursor",
  ],
])(
  "a default that does not fit is not filled in, and is warned of once: %s",
  async (_, properties, more, member) => {
    const { got, warnings } = await callTwice(properties, {}, more);
    expect(got).toStrictEqual([{}, {}]);
    expect(warnings).toStrictEqual([note(member)]);
  },
);

test("one within another default is left out there, and the others are filled in", async () => {
  const filter = {
    type: "object",
    properties: { by: { type: "string", default: "name" }, after: { type: "string", default: null } },
    default: {},
  };
  const { got, warnings } = await callTwice({ filter, limit: { type: "integer", default: 10 } });
  expect(got[0]).toStrictEqual({ filter: { by: "name" }, limit: 10 });
  expect(warnings).toStrictEqual([note("after")]);
});

test("a member that is given is taken as it is given, and nothing is warned of", async () => {
  const { got, warnings } = await callTwice({ cursor: { type: "string", default: null } }, { cursor: "a" });
  expect(got[0]).toStrictEqual({ cursor: "a" });
  expect(warnings).toStrictEqual([]);
});
