import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  anyMess,
  anyWellFormed,
  assistant,
  checkpointOf,
  user,
} from "../../../test-data/spectator/checkpoints.ts";
import { diffCheckpoints } from "./diff-checkpoints.ts";

test("what came, what went, and what stands otherwise", () => {
  const from = checkpointOf([user("a"), assistant("b"), user("c")], {
    goals: ["one", "two"],
    openLoops: ["x"],
    decisions: ["d"],
    episodeSummary: "was",
    capabilitiesPending: ["net"],
  });
  const to = checkpointOf([user("c"), assistant("c"), user("c")], {
    goals: ["two", "one"],
    openLoops: ["y", "x"],
    episodeSummary: "is",
    capabilitiesGranted: ["net"],
    decisions: ["d"],
  });
  expect(diffCheckpoints(from, { ...to, revision: 9 })).toStrictEqual({
    revision: { from: 7, to: 9 },
    lists: {
      goals: { added: [], removed: [], reordered: true },
      openLoops: { added: ["y"], removed: [], reordered: false },
      capabilitiesGranted: { added: ["net"], removed: [], reordered: false },
      capabilitiesPending: { added: [], removed: ["net"], reordered: false },
    },
    episodeSummary: { before: "was", after: "is" },
    messages: { added: 2, dropped: 2 },
  });
});

test("for any two: nothing to itself, and back is the same with the sides changed", () => {
  const any = fc
    .record({
      messages: anyMess.map((all) => all.filter(({ content }) => content.isWellFormed())),
      goals: anyWellFormed,
      summary: fc.string(),
    })
    .map(({ messages, goals, summary }) => checkpointOf(messages, { goals, episodeSummary: summary }));
  fc.assert(
    fc.property(any, any, (one, other) => {
      const none = { revision: { from: 7, to: 7 }, lists: {}, messages: { added: 0, dropped: 0 } };
      expect(diffCheckpoints(one, structuredClone(one))).toStrictEqual(none);
      const [there, back] = [diffCheckpoints(one, other), diffCheckpoints(other, one)];
      expect(back.messages).toStrictEqual({ added: there.messages.dropped, dropped: there.messages.added });
      expect(back.lists.goals?.added).toStrictEqual(there.lists.goals?.removed);
      expect(back.lists.goals?.reordered).toStrictEqual(there.lists.goals?.reordered);
      expect(one.recentMessages.length + there.messages.added - there.messages.dropped).toBe(
        other.recentMessages.length,
      );
    }),
  );
});
