import { describe, expect, test } from "vitest";
import { sampleReader, sampleRows, sampleSeat } from "../../test-data/sample-world.ts";

const { call } = sampleSeat([sampleReader("embedded", sampleRows({}, { title: "Will it snow in Oslo?" }))]);

describe("research.query", () => {
  test("answers with passages, their sources, and what those markets cost", async () => {
    const answer = (await call("research.query", { question: "Who pays if Lisbon is wet?", limit: 1 })) as {
      items: { score: number }[];
    };
    expect(answer).toEqual({
      at: "2026-01-02T12:00:00.000Z",
      synthetic: true,
      items: [
        {
          score: answer.items[0]?.score,
          text: "It pays if it rains.",
          kind: "rules",
          source: { venue: "embedded", ticker: "T0", title: "Will it rain in Lisbon?" },
          facts: { priceCents: 41, moveCents: 0, dayVolume: 100, closesAt: "2026-01-09T12:00:00.000Z" },
          synthetic: true,
        },
      ],
      unavailable: [],
    });
  });

  test("invents nothing where nothing fits", async () => {
    expect(await call("research.query", { question: "zebra?" })).toMatchObject({ items: [] });
  });

  test.each([{}, { question: "" }, { question: "x".repeat(501) }, { question: "x", limit: 21 }])(
    "refuses %j",
    async (input) => {
      expect(await call("research.query", input)).toMatchObject({ code: "invalid_input" });
    },
  );
});
