import * as fc from "fast-check";
import { expect, test } from "vitest";
import { conversationNames } from "../conversation-names.ts";
import { ChatCalls } from "./chat-calls.ts";

const names = conversationNames({ messages: [], tools: [] });

/** The pieces of a call as a server sends them, each with the number of its call. */
const callPieces = fc
  .array(fc.record({ name: fc.stringMatching(/^[a-z]{1,3}$/), cuts: fc.array(fc.nat(9)) }), { maxLength: 5 })
  .map((calls) =>
    calls.map(({ name, cuts }, index) => {
      const args = JSON.stringify({ n: index });
      const places = [0, ...cuts.filter((cut) => cut < args.length).toSorted((a, b) => a - b), args.length];
      const parts = places.slice(1).map((place, at) => args.slice(places[at], place));
      const call = { id: `id_${index}`, name, args: { n: index } };
      return {
        call,
        pieces: [{ index, id: call.id, function: { name } }, ...parts.map((part) => pieceOf(index, part))],
      };
    }),
  );

function pieceOf(index: number, part: string) {
  return { index, function: { arguments: part } };
}

test("the pieces of several calls, in any turns, come to those calls", () => {
  fc.assert(
    fc.property(callPieces, fc.infiniteStream(fc.nat()), (given, turns) => {
      const left = given.map(({ pieces }) => [...pieces] as object[]);
      const calls = new ChatCalls(names);
      for (let open = left; open.length > 0; open = open.filter(({ length }) => length > 0))
        calls.take(open[(turns.next().value as number) % open.length]?.shift());
      expect(calls.toolCalls()).toStrictEqual(given.map(({ call }) => call));
    }),
  );
});

test("calls that come whole, with ids of their own, are told apart whatever their indexes are", () => {
  const index = fc.option(fc.nat(2), { nil: undefined });
  fc.assert(
    fc.property(fc.array(index), (indexes) => {
      const calls = new ChatCalls(names);
      for (const [at, one] of indexes.entries())
        calls.take({ index: one, id: `id_${at}`, function: { name: "a", arguments: `{"n":${at}}` } });
      const said = calls.toolCalls().map(({ id, args }) => [id, args]);
      expect(new Map(said as [string, unknown][])).toStrictEqual(
        new Map(indexes.map((_, at) => [`id_${at}`, { n: at }])),
      );
    }),
  );
});

test("whatever a server sends as a piece, nothing breaks", () => {
  fc.assert(
    fc.property(fc.array(fc.anything()), (pieces) => {
      const calls = new ChatCalls(names);
      for (const piece of pieces) calls.take(JSON.parse(JSON.stringify(piece) ?? "null"));
      expect(calls.toolCalls().length).toBeLessThanOrEqual(pieces.length);
    }),
  );
});

test("two hundred thousand calls take as long as they are many", () => {
  const calls = new ChatCalls(names);
  for (let n = 0; n < 200_000; n++)
    calls.take({ index: n, id: `id_${n}`, function: { name: "a", arguments: "{}" } });
  expect(calls.toolCalls()).toHaveLength(200_000);
});

test("a call in two hundred thousand pieces takes as long as they are many", () => {
  const calls = new ChatCalls(names);
  calls.take({ index: 0, function: { name: "a", arguments: '{"n":"' } });
  for (let n = 0; n < 200_000; n++) calls.take({ index: 0, function: { name: "a", arguments: "}" } });
  expect(calls.toolCalls()).toMatchObject([{ name: "a", args: expect.stringMatching(/}$/) }]);
});
