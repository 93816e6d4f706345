// On a real disk and a real server: once a call of a long-lived agent is erased, its words are in no file and in no table, whatever form they
// had taken, and in nothing that a model is shown.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eraseCall } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import {
  openPostgresStore,
  openSqliteSearchIndex,
  openSqliteStore,
  openTurnLogs,
} from "@spfunctions/host/store";
import { defineTool, openInstallation, type Store, verifyAccount } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { AgentModel, calling, notesBlock } from "../packages/agent/test-data/spectator/agent-desk.ts";
import { callOf } from "../packages/agent/test-data/spectator/erasing.ts";
import { dataFolder } from "../packages/host/test/data-folder.ts";
import { describePostgres } from "../packages/host/test/describe-postgres.ts";

const installation = openInstallation(new Uint8Array(32).fill(7));
const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;

/** What a page says, in one line of which is what must not be found. */
const page = [
  "Opening hours of the club are from nine to five.",
  "The heron of quarry seven counts forty silver keys at dawn (ref ZK-88213-Q, anna.berg@quarry.example).",
].join("\n");
const marks = ["zk-88213-q", "anna.berg", "quarry seven", "forty silver", "heron"];

/** Forms in which an agent says it again, also in a later session that was shown none of it. */
const forms = [
  "The heron of quarry seven counts forty silver keys at dawn",
  "It said THE HERON OF QUARRY SEVEN counts forty silver keys.",
  'As JSON: {"text":"…\\nThe heron of quarry seven counts forty silver keys at dawn"}',
  "**The heron** of _quarry_ seven — counts, forty silver keys at dawn",
  "Write to anna.berg@quarry.example about ref ZK-88213-Q",
];

/** Talks in two sessions, erases, goes on, and gives back what models were shown after it. */
async function tellAndErase(
  store: Store,
  ports: Partial<Pick<ConstructorParameters<typeof Spectator>[0], "search" | "turnLog">> = {},
  atHand: Pick<Parameters<typeof eraseCall>[0], "search" | "logs"> = {},
): Promise<string> {
  const read = defineTool({
    name: "club.read",
    description: "Reads the page of the club.",
    input: z.strictObject({ about: z.string() }),
    output: z.strictObject({ text: z.string() }),
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: () => ({ text: page }),
  });
  const model = new AgentModel([
    calling("club.read", { about: "keys" }),
    `${forms[0]}. ${notesBlock({ add_decisions: [forms[1]], set_episode_summary: forms[2], add_memory_tags: ["heron"] })}`,
    `Again: ${forms[3]} ${notesBlock({ set_goals: [forms[4]], actions: ["condense_now"] })}`,
    ...forms.map((form) => `${form} ${notesBlock({ add_open_loops: [form] })}`),
  ]);
  const open = () =>
    new Spectator({
      model,
      packs: [[read]],
      principal,
      store,
      installation,
      limits: { recentMessages: 6 },
      ...ports,
    });
  const first = open();
  const session = await first.open("s");
  const { runId } = await session.turn("What of the keys?");
  await session.turn("Say it again.");
  const other = await first.open("other");
  for (const form of forms) {
    await first.memory.remember({ text: `Kept: ${form}`, source: { type: "model" } });
    await other.turn("And here?");
  }
  await first.close();
  const callId = await callOf({ store }, runId);
  const erased = await eraseCall({ principal, store, installation, ...atHand }, callId);
  expect(erased.memories.length).toBeGreaterThanOrEqual(forms.length);
  expect((await verifyAccount(store, "acct_1")).status).toBe("ok");
  const asked = model.asked.length;
  const second = open();
  for (const id of ["s", "other"]) {
    const reopened = await second.open(id);
    await reopened.turn("What of the heron?");
    expect(await reopened.verify()).toMatchObject({ isWhole: true });
  }
  await second.close();
  const shown = model.asked
    .slice(asked)
    .map(({ messages }) => messages.filter(({ role }) => role !== "user"));
  return JSON.stringify(shown).toLowerCase();
}

/** All that lies in the files of a folder. */
function bytesIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

/** Whether any of them is there; "heron" is what a user asks about afterwards. */
function marksIn(text: string): string[] {
  return marks.filter((mark) => mark !== "heron" && text.toLowerCase().includes(mark));
}

test("they are in no file of a data folder, its log, its search index and the logs of turns, while all of it is open", async () => {
  const folder = dataFolder();
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const search = await openSqliteSearchIndex({ folder });
  onTestFinished(() => search.close());
  const turnLog = openTurnLogs({ folder: join(folder, "turns") });
  const shown = await tellAndErase(store, { search, turnLog }, { search, logs: turnLog });
  expect([marksIn(shown), shown.includes("heron of")]).toStrictEqual([[], false]);
  const bytes = bytesIn(folder);
  expect(bytes).toContain("content.erased");
  expect(marksIn(bytes)).toStrictEqual([]);
  expect((await turnLog.list("s")).length).toBe(1);
});

test("an index and logs that nobody had at hand when it was erased are cleared when the agent is opened next", async () => {
  const folder = dataFolder();
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const search = await openSqliteSearchIndex({ folder });
  onTestFinished(() => search.close());
  const turnLog = openTurnLogs({ folder: join(folder, "turns") });
  const shown = await tellAndErase(store, { turnLog, search });
  expect(marksIn(shown)).toStrictEqual([]);
  expect(marksIn(bytesIn(folder))).toStrictEqual([]);
});

describePostgres("of an erased call of a long-lived agent", (postgres) => {
  test("nothing is in any table", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    expect(marksIn(await tellAndErase(store))).toStrictEqual([]);
    const tables = await ask("SELECT tablename FROM pg_tables WHERE schemaname = 'simplefunctions'");
    expect(tables.length).toBeGreaterThan(2);
    for (const { tablename } of tables) {
      const rows = await ask(`SELECT t::text FROM simplefunctions.${String(tablename)} t`);
      expect([tablename, marksIn(JSON.stringify(rows))]).toStrictEqual([tablename, []]);
    }
  });
});
