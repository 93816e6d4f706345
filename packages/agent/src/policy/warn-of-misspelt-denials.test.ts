import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, govern } from "../index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" } as const;
const toolOf = <const Name extends string>(name: Name) =>
  defineTool({
    name,
    description: "For its name.",
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    input: z.object({}),
    output: z.object({}),
    run: () => ({}),
  });
const packs = [toolOf("till.refund"), toolOf("till.drawer.open")] as const;

/** What is said when a policy is given, the same one twice. */
function warnedOf(denyTools: readonly string[]): unknown[] {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  for (let time = 0; time < 2; time++) govern({ packs, policy: { denyTools: [...denyTools] }, principal });
  const said = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  return said;
}

test.each([
  ["till.refnud", "till.refund"],
  ["till.refunds", "till.refund"],
  ["tlil.*", "till.*"],
  ["till.drawr.*", "till.drawer.*"],
])("a name in denyTools that is nearly a tool's is warned of, once: %s", (denied, meant) => {
  expect(warnedOf([denied])).toStrictEqual([
    `denyTools has "${denied}", and no tool here has that name; did you mean "${meant}"?`,
  ]);
});

test("what denies something, and what another pack's tool is called, is not", () => {
  expect(warnedOf(["till.refund", "till.*", "till.drawer.*", "mail.send", "calendar.*"])).toStrictEqual([]);
});
