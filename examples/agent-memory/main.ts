// What a long-lived agent keeps: a memory that is found by its words, and every revision of its notes, to go back to and to fork.
import assert from "node:assert/strict";
import { Spectator } from "@spfunctions/agent/spectator";
import { scriptedModel } from "@spfunctions/host/models";

const notes = (patch: object) => `<<<NOTES_JSON>>>${JSON.stringify(patch)}<<<END_NOTES_JSON>>>`;
const agent = new Spectator({
  model: scriptedModel([
    { text: "There is, as you told me [mem:mem_00000000]." },
    { text: `On Sunday, then. ${notes({ set_goals: ["visit the club"], add_decisions: ["go on Sunday"] })}` },
    { text: `As you like. ${notes({ set_goals: [] })}` },
  ]),
  principal: { accountId: "club", keyId: "desk", scopes: ["read"], kind: "local" },
});
const session = await agent.open("monday");

// 1. What is remembered says who said it, and is found by its words.
const tea = await agent.memory.remember({
  text: "The club serves tea on Sundays.",
  source: { type: "user" },
});
const [hit] = (await agent.memory.retrieve({ text: "is there tea?" })).hits;
assert.deepEqual([hit?.item.memoryId, hit?.trust, hit?.matched], [tea.memoryId, "user", ["tea"]]);

// 2. What a model cites is held against what it was shown: this one it has made up. What is forgotten is found no more.
const cited = await session.turn("Is there tea?");
assert.deepEqual(cited.citations, { cited: [], unknown: ["mem_00000000"] });
await agent.memory.forget(tea.memoryId);
assert.deepEqual((await agent.memory.retrieve({ text: "is there tea?" })).hits, []);

// 3. Every turn leaves a revision. Going back writes one more, and a fork goes its own way from there.
const { revision } = await session.turn("When shall we go?");
await session.turn("Let us drop it.");
assert.deepEqual((await session.checkpoint()).state.goals, []);
const undone = await session.undo(revision);
assert.deepEqual([undone.state.goals, undone.state.decisions], [["visit the club"], ["go on Sunday"]]);
const other = await session.fork("tuesday");
assert.deepEqual((await other.checkpoint()).state.goals, ["visit the club"]);
assert((await session.verify()).isWhole);
for (const { revision: number, cause } of await session.history()) console.log(number, cause);
await agent.close();
