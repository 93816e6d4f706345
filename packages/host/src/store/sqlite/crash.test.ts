// J1, J3: what was answered is there after the process was killed, and of what was not answered all or nothing.
import { once } from "node:events";
import { hashText } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const stream = "run-1";
const accountId = "account-a";

/** Lets a process commit until it has answered some times, kills it, and returns the last number that it answered. */
async function stormAndKill(folder: string, answers: number): Promise<number> {
  const other = startStoreProcess();
  onTestFinished(() => other.end());
  await other.open({ folder });
  let said = "";
  other.child.stdout?.on("data", (chunk: Buffer) => {
    const killed = said.split("\n").length > answers;
    said += chunk.toString();
    if (!killed && said.split("\n").length > answers) other.child.kill("SIGKILL");
  });
  const closed = once(other.child, "close");
  await expect(other.ask({ act: "storm", stream, accountId })).rejects.toThrow("ended with SIGKILL");
  await closed;
  return Math.max(0, ...said.split("\n").slice(0, -1).map(Number));
}

test("killed again and again in a storm of commits, it lost nothing that it answered and kept nothing by half", async () => {
  const folder = dataFolder();
  let before = 0;
  await inTurn([1, 40, 150, 400, 90], async (answers) => {
    const answered = await stormAndKill(folder, answers);
    const store = await openSqliteStore({ folder });
    const kept = await store.readStream({ stream, accountId, limit: 100_000 });
    expect(answered).toBeGreaterThan(before);
    expect(kept.length).toBeGreaterThanOrEqual(answered);
    before = kept.length;
    let prev = hashText("the beginning");
    for (const [at, { seq, hash, text, content }] of kept.entries()) {
      expect([seq, hash]).toStrictEqual([at + 1, hashText(`${prev}\n${text}`)]);
      expect(content).toStrictEqual([{ ref: `content_${seq}`, salt: "grain", text: `content ${seq}` }]);
      prev = hash;
    }
    const count = await store.document({ kind: "count", accountId, id: stream });
    expect([count?.revision, count?.body]).toStrictEqual([kept.length, `${kept.length}`]);
    const claim = (seq: number) => store.claim({ accountId, scope: stream, key: `${seq}` }, 1_000);
    expect((await claim(kept.length))?.ref).toBe(kept.at(-1)?.text);
    expect(await claim(kept.length + 1)).toBeUndefined();
    await store.close();
  });
});
