import { expect, test } from "vitest";
import { openRunDesk } from "../../../test-data/run-desk.ts";
import { openingMessages } from "./run-messages.ts";

test("what is data stands after the words, in one order, and is nobody else's words", () => {
  const objective = [
    { role: "system", text: "Be brief." },
    { role: "user", text: "Compare them.", data: { b: [1], a: "x" } },
  ];
  expect(openingMessages({ objective })).toStrictEqual([
    { role: "system", text: "Be brief." },
    { role: "user", text: 'Compare them.\n\nContext, as data:\n{"a":"x","b":[1]}' },
  ]);
});

test("S1: what stands in it under the name of a secret is hidden, also where the words repeat it", async () => {
  const words = "correct horse battery";
  const desk = openRunDesk();
  const objective = [{ role: "user", text: `Say ${words}.`, data: { account: { password: words } } }];
  await (await desk.runs.start({ objective })).wait();
  const [shown] = desk.model.asked[0]?.messages ?? [];
  expect(shown?.text).not.toContain(words);
  expect(shown?.text).toMatch(
    /^Say \[redacted[^\]]*\]\.\n\nContext, as data:\n\{"account":\{"password":"\[redacted/,
  );
});
