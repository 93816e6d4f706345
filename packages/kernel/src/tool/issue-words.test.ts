import { heldSecrets, type JsonValue } from "@spfunctions/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { tinySchema, toolWith } from "../../test-data/tool-samples.ts";
import type { ToolSchema } from "./standard-schema.ts";
import { checksOf } from "./tool-checks.ts";

const own = "does not pass the schema's own checks";
const problem = (input: ToolSchema, value: JsonValue) => checksOf(toolWith({ input })).input(value);
const payment = z.object({ amount: z.number(), memo: z.string().optional() });
type Payment = z.infer<typeof payment>;
const isSmall = ({ amount }: Payment) => amount <= 500;
const words = "a payment above 500 needs a purchase order";

describe("the words of a zod refine are kept", () => {
  test.each<[string, ToolSchema]>([
    ["given as a text", payment.refine(isSmall, words)],
    ["given as a message", payment.refine(isSmall, { message: words })],
    ["given as an error", payment.refine(isSmall, { error: () => words })],
    ["given as an error that is an object", payment.refine(isSmall, { error: () => ({ message: words }) })],
    ["beside others that hold", payment.refine(() => true, "never").refine(isSmall, words)],
    ["in a union", z.union([payment.refine(isSmall, words), z.object({ order: z.string() })])],
  ])("%s, also where the value has the same words in it", (_, schema) => {
    expect(problem(schema, { amount: 1500, memo: words })).toStrictEqual({
      path: "",
      reason: "schema_mismatch",
      message: `${own}: ${words}`,
    });
  });

  test("with the place that they are about", () => {
    const atMember = z.object({ list: z.array(z.string().refine((text) => text !== "b", "b is taken")) });
    expect(problem(atMember, { list: ["a", "b"] })).toMatchObject({
      path: "/list/1",
      message: `${own}: b is taken`,
    });
    const named = payment.refine(isSmall, { path: ["amount"], error: words });
    expect(problem(named, { amount: 501 })).toMatchObject({ path: "/amount", message: `${own}: ${words}` });
  });

  test("of an output, too", () => {
    const { output } = checksOf(toolWith({ output: payment.refine(isSmall, words) }));
    expect(output({ amount: 501 })?.message).toBe(`${own}: ${words}`);
  });
});

describe("words that are made for a value are kept if they share nothing with it", () => {
  const text = "every payment names its invoice";
  test.each<[string, ToolSchema]>([
    [
      "of a superRefine",
      payment.superRefine((_, context) => context.addIssue({ code: "custom", message: text })),
    ],
    ["of a superRefine, as a text", payment.superRefine((_, context) => context.addIssue(text))],
    [
      "of a check",
      payment.check(({ value, issues }) => {
        issues.push({ code: "custom", message: text, input: value });
      }),
    ],
    ["of another library", tinySchema({}, () => ({ issues: [{ message: text }] }))],
  ])("%s", (_, schema) => {
    expect(problem(schema, { amount: 7, memo: "for it" })?.message).toBe(`${own}: ${text}`);
    expect(problem(schema, { amount: 7, memo: "of Invoices 1 to 3" })?.message).toBe(own);
  });
});

describe("no words show a value, or a part of one (S1)", () => {
  const secret = "Correct-Horse 4711 ü";
  afterEach(() => heldSecrets.remove(words));

  test.each<[string, (value: string) => string]>([
    ["as it is", (value) => `not ${value}`],
    ["in quotes", (value) => `not ${JSON.stringify({ value })}`],
    ["in upper case", (value) => `not ${value.toUpperCase()}`],
    ["its beginning", (value) => `not ${value.slice(0, 5)}…`],
    ["its end", (value) => `not …${value.slice(-5)}`],
    ["its digits", (value) => `not ${value.replaceAll(/\D/g, "")}`],
    ["a word of it", (value) => `there is no ${value.split(/[- ]/)[1]}`],
  ])("%s", (_, say) => {
    const member = z.string();
    for (const schema of [
      member.refine(() => false, { error: ({ input }) => say(String(input)) }),
      member.refine(() => false, { error: ({ input }) => ({ message: say(String(input)) }) }),
      member.superRefine((value, context) => context.addIssue(say(value))),
    ])
      expect(problem(z.object({ pin: schema }), { pin: secret })).toStrictEqual({
        path: "/pin",
        reason: "schema_mismatch",
        message: own,
      });
    expect(
      problem(
        tinySchema({}, (value: string) => ({ issues: [{ message: say(value) }] })),
        secret,
      )?.message,
    ).toBe(own);
  });

  test.each<[JsonValue, string]>([
    [12_345.5, "not 12,345.50"],
    [7, "not 7"],
    ["no", "not no"],
    ["x", "not (x)"],
    ["?!", "not ?!"],
    ["鍵", "not 鍵"],
    [{ a: [{ b: "tulip" }] }, "not a tulip"],
  ])("of %j", (value, message) => {
    const schema = tinySchema({}, () => ({ issues: [{ message }] }));
    expect(problem(schema, value)?.message).toBe(own);
  });

  test("nor a secret that this process holds, nor what moves the text, nor text without end", () => {
    heldSecrets.add(words, "word");
    expect(problem(payment.refine(isSmall, words), { amount: 501 })?.message).not.toContain(words);
    const ill = payment.refine(() => false, `a\u0000b\n\u202Ec${"d".repeat(1_000_000)}`);
    const { message = "" } = problem(ill, { amount: 1 }) ?? {};
    expect(message.slice(0, 50)).toBe(`${own}: a b cdddddd`);
    expect(message).toHaveLength(`${own}: `.length + 299);
  });
});
