// J2, S1: a secret may be as long as an input may be. Whatever its tool does then, the effect has an end, and nobody is shown it.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { codeOf, keptText, kindsOf, openDesk } from "../../test-data/call-desk.ts";
import { type Settlement, settlement, turn, unhandledDuring } from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "./call-host.ts";
import type { ToolContext } from "./executors.ts";

/** Longer than a pattern can be, and nothing that looks like a secret. */
const long = Array.from({ length: 10_000 }, (_, n) => `line ${n}\n`).join("");
const input = { type: "object", properties: { password: { type: "string", "x-sf-secret": true } } };
const secretive = { name: "notes.login", sideEffect: "user_write", input } as const;
const request = { tool: "notes.login", input: { password: long }, idempotencyKey: "k" };

type Act = (context: ToolContext) => unknown;
const acts: readonly (readonly [string, Act, string])[] = [
  ["answers", () => "done", "completed"],
  ["gives it back", () => `it is ${long}`, "completed"],
  ["fails", () => fail("closed"), "upstream_error"],
  ["fails and quotes it", () => fail(`not this: ${long}`), "upstream_error"],
  ["says how far it is", ({ progress }) => progress("half way"), "completed"],
  ["names its operation", ({ external }) => external({ operationId: "op-1" }), "completed"],
];

describe.each([
  ["at once", (act: Act): Act => act],
  [
    "later",
    (act: Act): Act =>
      async (context) =>
        [await turn(), act(context)][1],
  ],
])(
  "an effect with a very long secret has an end, and its key an answer, where its tool %s",
  (_when, when) => {
    test.each(acts)("%s", async (_, act, code) => {
      const deed = when(act);
      const desk = openDesk({ deck: new Deck((_input, context) => deed(context), [secretive]) });
      let told: Settlement = { state: "pending" };
      const unhandled = await unhandledDuring(async () => {
        told = await settlement(desk.call(request));
      });
      const again = await settlement(desk.call(request));
      expect([saidBy(told), saidBy(again), unhandled.length]).toStrictEqual([code, code, 0]);
      expect(await kindsOf(desk)).toStrictEqual([
        "segment.opened",
        "call.intended",
        "call.settled",
        "call.repeated",
      ]);
      const shown = [await keptText(desk.store.inner), JSON.stringify([desk.events, again]), wordsOf(told)];
      expect(shown.map((text) => text.includes("line 77"))).toStrictEqual([false, false, false]);
    });
  },
);

function fail(words: string): never {
  throw new Error(words);
}

function saidBy(told: Settlement): string {
  if (told.state === "kept") return codeOf(told.value as CallOutcome);
  return told.state === "broken" ? "threw" : "pending";
}

/** What an error says that somebody got instead of an answer. */
function wordsOf(told: Settlement): string {
  const outcome = told.state === "kept" ? (told.value as CallOutcome) : undefined;
  const error: unknown = told.state === "broken" ? told.error : outcome?.type === "failed" && outcome.error;
  if (isSimpleFunctionsError(error))
    return `${error.message} ${String(error.stack)} ${JSON.stringify(error)}`;
  return error instanceof Error ? error.message : "";
}
