import { expect, test } from "vitest";
import { hashText } from "../hash/hash-input.ts";
import { agentHeadSchema, agentRevisionSchema, keptRevisionSchema } from "./agent-revision.ts";

const digest = hashText("x");
const revision = {
  checkpoint: {
    session_id: "s1",
    revision: 1,
    updated_ts: 1.5,
    state: {
      goals: [],
      open_loops: [],
      decisions: [],
      constraints: ["obey"],
      episode_summary: "",
      memory_tags: [],
      memory_refs: [],
      capabilities_granted: [],
      capabilities_pending: [],
    },
    recent_messages: [],
  },
  operatorConstraints: 1,
  cause: { type: "created" },
  prev: digest,
  hash: digest,
};

test("a revision says which of its constraints are the operator's, and there are no more of those than of all", () => {
  expect(agentRevisionSchema.parse(revision)).toStrictEqual(revision);
  for (const operatorConstraints of [2, -1, 0.5, undefined])
    expect(agentRevisionSchema.safeParse({ ...revision, operatorConstraints }).success).toBe(false);
});

test("a revision says which of its messages an import has brought, and there are no more of those than of all", () => {
  const recent_messages = [{ role: "user", content: "u" }] as const;
  const imported = { ...revision, checkpoint: { ...revision.checkpoint, recent_messages } };
  for (const [importedMessages, isOne] of [
    [0, true],
    [1, true],
    [2, false],
    [-1, false],
    [0.5, false],
  ] as const)
    expect(agentRevisionSchema.safeParse({ ...imported, importedMessages }).success).toBe(isOne);
});

test("what is kept has a proof, and nothing that is not known", () => {
  expect(keptRevisionSchema.safeParse({ value: revision, proof: "p" }).success).toBe(true);
  expect(keptRevisionSchema.safeParse({ value: revision, proof: "" }).success).toBe(false);
  expect(keptRevisionSchema.safeParse({ value: revision, proof: "p", more: 1 }).success).toBe(false);
  const head = { accountId: "a", sessionId: "s1", revision: 1, hash: digest, createdTs: 1, updatedTs: 1 };
  expect(agentHeadSchema.safeParse(head).success).toBe(true);
  expect(agentHeadSchema.safeParse({ ...head, revision: 0 }).success).toBe(false);
});
