import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unpaired } from "../../../test-data/planned-run.ts";
import type { ModelMessage } from "../../model/model-adapter.ts";
import { condensations } from "./condensations.ts";
import { LaidOut } from "./laid-out.ts";

const opening: ModelMessage[] = [
  { role: "system", text: "be brief" },
  { role: "user", text: "look" },
  { role: "system", text: "and be polite" },
];

/** What a model said in a step, and what it was told of it. */
const anyStep = fc
  .tuple(
    fc.string({ maxLength: 50 }),
    fc.array(fc.string({ maxLength: 400 }), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([text, answers, isAskedAgain]): ModelMessage[] => [
    {
      role: "assistant",
      text,
      toolCalls: answers.map((_, index) => ({ id: `t${index}`, name: "notes.read", args: {} })),
    },
    ...answers.map(
      (answer, index): ModelMessage => ({ role: "tool", toolCallId: `t${index}`, text: answer }),
    ),
    ...(isAskedAgain && answers.length === 0 ? [{ role: "user", text: "once more" } as const] : []),
  ]);
const anySteps = fc.array(anyStep, { maxLength: 6 });
const anyHistory = anySteps.map((turns) =>
  turns.flatMap((turn) => [{ role: "user", text: "and then?" } as const, ...turn]),
);

function laidOut(history: readonly ModelMessage[], steps: readonly (readonly ModelMessage[])[]): LaidOut {
  const all = new LaidOut(opening, history);
  for (const step of steps) all.add(step);
  return all;
}

test("for any place that a record names, also one of before something was erased: calls with their answers, and the last step of then", () => {
  const anyCondensed = fc.record({
    messages: fc.integer({ min: 1, max: 60 }),
    steps: fc.nat(6),
    text: fc.constantFrom("", "Condensed"),
    answerChars: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(anyHistory, anySteps, anyCondensed, (history, steps, given) => {
      const condensed = { ...given, steps: Math.min(given.steps, steps.length) };
      const shown = [...laidOut(history, steps).projected(condensed)];
      expect(unpaired(shown)).toStrictEqual([]);
      expect(opening.every((one) => shown.includes(one))).toBe(true);
      const since = steps.slice(Math.max(0, condensed.steps - 1)).flat();
      expect(since.length === 0 ? [] : shown.slice(-since.length).map(({ role }) => role)).toStrictEqual(
        since.map(({ role }) => role),
      );
      // What came after it was condensed is shown whole.
      const later = steps.slice(condensed.steps).flat();
      expect(later.length === 0 ? [] : shown.slice(-later.length)).toStrictEqual(later);
    }),
  );
});

test("for any steps: each is shown as it comes as it is shown all at once", () => {
  fc.assert(
    fc.property(anyHistory, anySteps, fc.nat(60), fc.nat(6), (history, steps, messages, at) => {
      const first = Math.min(at, steps.length);
      const condensed = { messages: messages + 1, steps: first, text: "Condensed", answerChars: 20 };
      const grown = laidOut(history, steps.slice(0, first));
      const shown = [...grown.projected(condensed)];
      for (const step of steps.slice(first)) {
        const { length } = grown;
        grown.add(step);
        shown.push(...grown.projected(condensed, length));
      }
      expect(shown).toStrictEqual([...laidOut(history, steps).projected(condensed)]);
    }),
  );
});

test("for any steps: ever less is shown, and it comes to an end", () => {
  fc.assert(
    fc.property(anyHistory, anySteps, (history, steps) => {
      const all = laidOut(history, steps);
      const ways = [...condensations(all, undefined)];
      expect(ways.length).toBeLessThan(40);
      const places = ways.map(({ messages }) => messages);
      expect(places).toStrictEqual(places.toSorted((one, other) => one - other));
      // What is told to be gone is not shown beside that.
      expect(ways.map((way) => all.wholeFrom(way))).toStrictEqual(places);
      const least = ways.at(-1);
      expect(least === undefined).toBe(history.length + steps.length === 0);
      if (least === undefined) return;
      expect(least.text).not.toContain("\n");
      expect(least.messages).toBe(all.startOf(steps.length));
      // And from there on there is nowhere to go but there.
      for (const way of condensations(all, least)) expect(way.messages).toBe(least.messages);
    }),
  );
});
