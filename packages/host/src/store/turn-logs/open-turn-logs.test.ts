import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { folderNameOf } from "./folder-name.ts";
import { openTurnLogs } from "./open-turn-logs.ts";

const sessionIds = fc.stringMatching(/^[0-9A-Za-z][0-9A-Za-z._:@-]{0,127}$/);

describe("a session's folder", () => {
  test("for any session: its name is one on every file system", () => {
    fc.assert(
      fc.property(fc.oneof(sessionIds, fc.string({ unit: "binary" })), (id) => {
        const name = folderNameOf(id);
        expect(name).toMatch(id === "" ? /^$/ : /^[a-z0-9_=-]{1,100}$/);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)$/);
      }),
      { numRuns: 200 },
    );
  });

  test("for any two sessions: they have two, also where letters of either case are one", () => {
    fc.assert(
      fc.property(sessionIds, sessionIds, (one, other) => {
        expect(folderNameOf(one) === folderNameOf(other)).toBe(one === other);
      }),
      { numRuns: 1000 },
    );
    const alike = [
      "chat",
      "Chat",
      "CHAT",
      "c.hat",
      "c:hat",
      "c@hat",
      "c-hat",
      "c=hat",
      "con",
      "CON",
      "=63on",
    ];
    const long = ["a".repeat(127), "a".repeat(128), `${"a".repeat(127)}b`, "A".repeat(128)];
    const names = [...alike, ...long].map((id) => folderNameOf(id).toLowerCase());
    expect(new Set(names).size).toBe(alike.length + long.length);
  });

  test("is named as the session is where that can be", () => {
    expect(["chat", "monday-2", "user:ada@home", "nul"].map(folderNameOf)).toStrictEqual([
      "chat",
      "monday-2",
      "user=3aada=40home",
      "=6eul",
    ]);
  });
});

describe("the log of a turn", () => {
  test("is one file for its owner alone, and is read back", async () => {
    const folder = join(dataFolder(), "turns");
    const logs = openTurnLogs({ folder });
    await logs.write("user:ada", "turn-00000002-run_1.jsonl", '{"kind":"llm_req"}\n');
    expect(await logs.read("user:ada", "turn-00000002-run_1.jsonl")).toBe('{"kind":"llm_req"}\n');
    const own = join(folder, "user=3aada");
    expect(readdirSync(own)).toStrictEqual(["turn-00000002-run_1.jsonl"]);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(statSync(join(own, "turn-00000002-run_1.jsonl")).mode & 0o777).toBe(0o600);
  });

  test("that is written again is the later one, whole", async () => {
    const logs = openTurnLogs({ folder: join(dataFolder(), "turns") });
    await logs.write("chat", "turn-1.jsonl", "a long first text");
    await logs.write("chat", "turn-1.jsonl", "short");
    expect(await logs.read("chat", "turn-1.jsonl")).toBe("short");
  });

  test("makes the oldest of its session go, and none of another", async () => {
    const logs = openTurnLogs({ folder: join(dataFolder(), "turns"), mostOfSession: 2 });
    for (const number of [1, 2, 3, 4]) await logs.write("chat", `turn-0000000${number}.jsonl`, "x");
    await logs.write("other", "turn-00000001.jsonl", "x");
    expect(await logs.list("chat")).toStrictEqual(["turn-00000003.jsonl", "turn-00000004.jsonl"]);
    expect(await logs.list("other")).toStrictEqual(["turn-00000001.jsonl"]);
    expect(await logs.read("chat", "turn-00000001.jsonl")).toBeUndefined();
    expect(await logs.list("nobody")).toStrictEqual([]);
  });

  test("clears away what a killed process has left half written, once that is old", async () => {
    const folder = join(dataFolder(), "turns");
    const logs = openTurnLogs({ folder });
    mkdirSync(join(folder, "chat"), { recursive: true, mode: 0o700 });
    for (const name of [".draft-old", ".draft-new"]) writeFileSync(join(folder, "chat", name), "half");
    utimesSync(join(folder, "chat", ".draft-old"), 1, 1);
    await logs.write("chat", "turn-1.jsonl", "x");
    expect(readdirSync(join(folder, "chat")).toSorted()).toStrictEqual([".draft-new", "turn-1.jsonl"]);
  });

  test.each(["", "..", ".", "../x", "a/b", "a\\b", "a.", ".a", "A", "a\0", "a:b", "x".repeat(201)])(
    "is not called %j, which may lead elsewhere",
    async (name) => {
      const folder = join(dataFolder(), "turns");
      const logs = openTurnLogs({ folder });
      await expect(logs.write("chat", name, "x")).rejects.toMatchObject({ details: { reason: "bad_name" } });
      await expect(logs.read("chat", name)).rejects.toMatchObject({ details: { reason: "bad_name" } });
    },
  );

  test("that cannot be written says where, and leaves nothing", async () => {
    const folder = join(dataFolder(), "turns");
    const logs = openTurnLogs({ folder });
    mkdirSync(join(folder, "chat", "turn-1.jsonl", "x"), { recursive: true, mode: 0o700 });
    await expect(logs.write("chat", "turn-1.jsonl", "x")).rejects.toMatchObject({
      details: { reason: "not_writable" },
    });
    expect(readdirSync(join(folder, "chat"))).toStrictEqual(["turn-1.jsonl"]);
  });

  test.skipIf(process.platform === "win32")("is not written where everybody can write", () => {
    const folder = dataFolder();
    chmodSync(folder, 0o777);
    expect(() => openTurnLogs({ folder })).toThrow(
      expect.objectContaining({ details: { reason: "shared_folder" } }),
    );
  });

  test.each([0, -1, 1.5, Number.NaN])("%d of a session is no number of them", (mostOfSession) => {
    expect(() => openTurnLogs({ folder: dataFolder(), mostOfSession })).toThrow("1 or more");
  });
});
