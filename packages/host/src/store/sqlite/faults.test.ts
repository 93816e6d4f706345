import { once } from "node:events";
import fs, {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
  writeSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hashText } from "@spfunctions/contracts";
import type { Unit } from "@spfunctions/kernel";
import { describe, expect, onTestFinished, test } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { makeReadOnly, smallDisk } from "../../../test/small-disk.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { readFault } from "./sqlite-faults.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const genesis = hashText("the beginning");
const stream = "run-1";
const accountId = "a";

async function open(folder: string) {
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const lease = await store.lease(stream, accountId, genesis);
  if (lease.type !== "leased") throw new Error("the stream is held");
  let { head } = lease;
  const append = (text: string): Unit => {
    const record = { seq: head.seq + 1, prev: head.hash, hash: hashText(`${head.hash}\n${text}`), text };
    return {
      durability: "power",
      now: 1,
      appends: [{ stream, epoch: lease.epoch, records: [{ ...record, content: [] }] }],
    };
  };
  const write = async (text: string) => {
    const unit = append(text);
    const result = await store.commit(unit);
    head = unit.appends?.[0]?.records[0] ?? head;
    return result;
  };
  return { store, write };
}

/** Writes until that fails, and returns how often it did not, and the fault. */
async function writeUntilFull(write: (text: string) => Promise<unknown>, text: string) {
  for (let written = 0; ; written += 1) {
    const result = await write(text).catch((error: unknown) => error);
    if (result instanceof Error) return { written, fault: result };
  }
}

test("folder and files are for their owner alone", async () => {
  const folder = join(dataFolder(), "deep", "data");
  const { write } = await open(folder);
  await write("first");
  const modes = [folder, ...["", "-wal", "-shm"].map((suffix) => databaseIn(folder) + suffix)].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toStrictEqual([0o700, 0o600, 0o600, 0o600]);
});

test("on a disk that is really full commits fail, nothing is kept by half, and with room again they go on", async ({
  skip,
}) => {
  const folder = smallDisk(2_048, skip);
  const ballast = join(folder, "ballast");
  const { store, write } = await open(folder);
  await expect(write("first")).resolves.toStrictEqual({ type: "committed" });
  writeFileSync(ballast, Buffer.alloc(1024 * 1024));
  const large = "x".repeat(200_000);
  const { written, fault } = await writeUntilFull(write, large);
  expect(fault).toMatchObject({ code: "journal_append_failed", retry: "after_wait" });
  await expect(write(large)).rejects.toMatchObject({ code: "journal_append_failed" });
  expect((await store.readStream({ stream, accountId, limit: 99 })).length).toBe(written + 1);
  rmSync(ballast);
  await expect(write("last")).resolves.toStrictEqual({ type: "committed" });
  await store.close();
  const again = await openSqliteStore({ folder });
  const found = await again.readStream({ stream, accountId, limit: 99 });
  expect([found.length, found.at(-1)?.text]).toStrictEqual([written + 2, "last"]);
  await again.close();
});

test("a store on a full disk can be closed, and nothing is lost by that", async ({ skip }) => {
  const folder = smallDisk(1_024, skip);
  const { store, write } = await open(folder);
  await write("first");
  const ballast = openSync(join(folder, "ballast"), "w");
  expect(() => {
    for (;;) writeSync(ballast, Buffer.alloc(8_192));
  }).toThrow("ENOSPC");
  closeSync(ballast);
  await expect(write("x".repeat(100_000))).rejects.toMatchObject({ code: "journal_append_failed" });
  await store.close();
  rmSync(join(folder, "ballast"));
  const again = await openSqliteStore({ folder, clock: () => Date.now() + 60_000 });
  expect((await again.readStream({ stream, accountId, limit: 9 })).map(({ text }) => text)).toStrictEqual([
    "first",
  ]);
  await again.close();
});

test.each([
  [5, "after_wait"],
  [10, "after_wait"],
  [13, "after_wait"],
  [14, "after_user_action"],
])("what cannot be read by SQLite's code %i may be read again %s", (errcode, retry) => {
  const error = Object.assign(new Error("no"), { errcode });
  expect(readFault(error, "/data/simplefunctions.db")).toMatchObject({
    code: "host_configuration_needed",
    retry,
  });
});

const damages: readonly [what: string, damage: (file: string) => void][] = [
  ["is text", (file) => writeFileSync(file, "not a database at all")],
  ["is one byte", (file) => writeFileSync(file, "S")],
  ["was cut after its header", (file) => truncateSync(file, 100)],
  ["was cut after its first page", (file) => truncateSync(file, 8_192)],
  ["was overwritten after its header", (file) => overwrite(file, 100)],
  ["was overwritten after its first page", (file) => overwrite(file, 8_192)],
];

test.each(damages)(
  "a database that %s is refused as damaged, and kept for an examination",
  async (_, damage) => {
    const folder = dataFolder();
    const { store, write } = await open(folder);
    await write("first");
    await store.close();
    damage(databaseIn(folder));
    const before = readFileSync(databaseIn(folder));
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: "journal_corrupt",
      message: expect.stringContaining(`${databaseIn(folder)} is damaged`),
    });
    expect(readFileSync(databaseIn(folder)).equals(before)).toBe(true);
  },
);

test("damage that is met while reading or writing is called damage, and what is whole is still read", async () => {
  const folder = dataFolder();
  const first = await open(folder);
  await inTurn(Array.from({ length: 40 }), () => first.write("x".repeat(3_000)));
  await first.store.close();
  damagePageOf(databaseIn(folder), "x".repeat(2_000), 10);
  const { store, write } = await open(folder);
  const corrupt = { code: "journal_corrupt" };
  await expect(store.readStream({ stream, accountId, limit: 99 })).rejects.toMatchObject(corrupt);
  const erasures = Array.from({ length: 40 }, (_, at) => ({
    stream,
    accountId,
    seq: at + 1,
    ref: "content_1",
  }));
  const results = await Promise.allSettled(
    erasures.map((one) => store.commit({ durability: "process", now: 1, erasures: [one] })),
  );
  expect(results[0]).toMatchObject({ reason: corrupt });
  expect((await store.readStream({ stream, accountId, limit: 5 })).length).toBe(5);
  await expect(write("next")).resolves.toStrictEqual({ type: "committed" });
});

test("a folder to which everybody can write is refused to both roles, and nothing is put there", async () => {
  const roles = ["driver", "guest"] as const;
  const folder = dataFolder();
  const refused = { code: "host_configuration_needed", details: { reason: "shared_folder" } };
  chmodSync(folder, 0o1777);
  await inTurn(roles, (role) => expect(openSqliteStore({ folder, role })).rejects.toMatchObject(refused));
  expect(readdirSync(folder)).toStrictEqual([]);
  chmodSync(folder, 0o770);
  await open(folder);
  chmodSync(folder, 0o777);
  await inTurn(roles, (role) => expect(openSqliteStore({ folder, role })).rejects.toMatchObject(refused));
});

test.each(["-wal", "-shm"])(
  "a database that was emptied or deleted while its %s is there is refused as damaged, and nothing is made anew",
  async (suffix) => {
    const folder = dataFolder();
    const file = databaseIn(folder);
    const { store, write } = await open(folder);
    await write("first");
    await store.close();
    writeFileSync(file + suffix, "");
    const corrupt = {
      code: "journal_corrupt",
      message: expect.stringContaining("it is empty or gone, and the log of what was in it is still there"),
    };
    const refuse = (role: "driver" | "guest") =>
      expect(openSqliteStore({ folder, role })).rejects.toMatchObject(corrupt);
    truncateSync(file);
    await inTurn(["driver", "guest"] as const, refuse);
    rmSync(file);
    await inTurn(["driver", "guest"] as const, refuse);
    expect(readdirSync(folder)).toStrictEqual([`simplefunctions.db${suffix}`]);
  },
);

test.each(["", "-journal"])(
  "an empty file is no new store: it is refused to both roles with what to do, also with its %s, and removed it is one",
  async (suffix) => {
    const folder = dataFolder();
    const file = databaseIn(folder);
    const { store, write } = await open(folder);
    await write("first");
    await store.close();
    truncateSync(file);
    if (suffix !== "") writeFileSync(file + suffix, Buffer.alloc(512));
    await inTurn(["driver", "guest"] as const, (role) =>
      expect(openSqliteStore({ folder, role })).rejects.toMatchObject({
        code: "journal_corrupt",
        message: `${file} is empty, as no store ever is: somebody has emptied it, or a disk has lost it. Go on from a backup; where nothing was ever kept here, remove the file and start again`,
      }),
    );
    expect(statSync(file).size).toBe(0);
    rmSync(file);
    const anew = await open(folder);
    await expect(anew.write("first")).resolves.toStrictEqual({ type: "committed" });
  },
);

test("a process that is killed while it makes a store leaves one that can be opened, or none", async () => {
  await inTurn(Array.from({ length: 4 }), async () => {
    const folder = dataFolder();
    const other = startStoreProcess();
    onTestFinished(() => other.end());
    const seen = sawFile(folder);
    const opened = other.open({ folder }).catch(() => undefined);
    await seen;
    await other.end();
    await opened;
    const { store, write } = await open(folder);
    await expect(write("first")).resolves.toStrictEqual({ type: "committed" });
    await store.close();
  });
});

test("a draft that somebody left who was killed while making a store is in nobody's way", async () => {
  const folder = dataFolder();
  writeFileSync(`${databaseIn(folder)}.7c1f`, "");
  const { write } = await open(folder);
  await expect(write("first")).resolves.toStrictEqual({ type: "committed" });
});

test("a file system without links has stores too", async () => {
  const folder = dataFolder();
  // None can be mounted here.
  const { linkSync } = fs;
  onTestFinished(() => setLink(linkSync));
  setLink(() => {
    throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });
  });
  const { write } = await open(folder);
  await expect(write("first")).resolves.toStrictEqual({ type: "committed" });
  expect(statSync(databaseIn(folder)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => !/\.db(-wal|-shm)?$/.test(name))).toStrictEqual([]);
});

test.skipIf(process.platform === "win32")(
  "a name that leads nowhere is refused, and nothing is made where it leads",
  async () => {
    const folder = dataFolder();
    symlinkSync(join(folder, "gone.db"), databaseIn(folder));
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: `${databaseIn(folder)} is a link to nowhere; put back what it leads to, or remove the link`,
    });
    expect(readdirSync(folder)).toStrictEqual(["simplefunctions.db"]);
  },
);

const badContents: readonly (readonly [what: string, kept: string, read: readonly unknown[]])[] = [
  ["text", "no JSON", ["no JSON"]],
  ["nothing", "", [""]],
  ["null", "null", [null]],
  ["a list of null", "[null]", [null]],
  ["JSON that is no list", '"text"', ["text"]],
  ["a row without its list", '{"ref":"content_1","erased":true}', [{ ref: "content_1", erased: true }]],
  ["a key said twice", '[{"ref":"content_1","ref":"x"}]', ['[{"ref":"content_1","ref":"x"}]']],
  [
    "a row both erased and there",
    '[{"ref":"content_1","erased":true,"text":"here"}]',
    [{ ref: "content_1", erased: true, text: "here" }],
  ],
  ["a hundred thousand brackets", "[".repeat(100_000), ["[".repeat(100_000)]],
];

test.each(badContents)(
  "B22: content that somebody else wrote is read as it is, for the verifier to judge: %s",
  async (_, kept, read) => {
    const folder = dataFolder();
    const { store, write } = await open(folder);
    await inTurn(["first", "second"], write);
    const before = await store.readStream({ stream, accountId, limit: 9 });
    tamper(folder, "UPDATE records SET content = ? WHERE seq = 1", kept);
    expect(await store.readStream({ stream, accountId, limit: 9 })).toStrictEqual(
      before.map((record) => (record.seq === 1 ? { ...record, content: read } : record)),
    );
  },
);

test.each(badContents)(
  "erasing from content that somebody else wrote is a journal_corrupt fault, and changes nothing: %s",
  async (_, kept, read) => {
    const folder = dataFolder();
    const { store, write } = await open(folder);
    await write("first");
    tamper(folder, "UPDATE records SET content = ?", kept);
    const erasures = [{ stream, accountId, seq: 1, ref: "content_1" }];
    await expect(store.commit({ durability: "process", now: 1, erasures })).rejects.toMatchObject({
      code: "journal_corrupt",
      message: expect.stringContaining("the content of record 1 of run-1 is not what was kept there"),
    });
    expect((await store.readStream({ stream, accountId, limit: 9 }))[0]?.content).toStrictEqual(read);
  },
);

test("a record is read under the number of its row, whatever its text says", async () => {
  const folder = dataFolder();
  const { store, write } = await open(folder);
  await inTurn(["first", "second"], write);
  tamper(folder, "UPDATE records SET seq = ? WHERE seq = 2", 7);
  const found = await store.readStream({ stream, accountId, limit: 9 });
  expect(found.map(({ seq, text }) => ({ seq, text }))).toStrictEqual([
    { seq: 1, text: "first" },
    { seq: 7, text: "second" },
  ]);
});

test("a folder that cannot be made or used is named, with what to do", async () => {
  const folder = dataFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(databaseIn(join(folder, "odd")), { recursive: true });
  const impossible = [join(folder, "file"), join(folder, "file", "below"), join(folder, "odd")];
  if (process.platform === "linux") impossible.push("/proc/no-such-folder");
  await inTurn(impossible, (one) =>
    expect(openSqliteStore({ folder: one })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining(one),
    }),
  );
});

const left = { kind: "inbox", accountId, id: "1", type: "put", expects: 0, status: "new", body: "" } as const;

describe("a file system that is mounted read-only", () => {
  test("has stores that can be read as they were, and neither driven nor written to", async ({ skip }) => {
    const folder = smallDisk(2_048, skip);
    const file = databaseIn(folder);
    const { store, write } = await open(folder);
    await write("first");
    await store.close();
    makeReadOnly(folder);
    const why = "its file system is mounted read-only (EROFS)";
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: `${file} cannot be used: ${why}. Mount it writable, or copy the folder to where it can be written`,
      details: { reason: "read_only" },
    });
    const guest = await openSqliteStore({ folder, role: "guest" });
    const found = await guest.readStream({ stream, accountId, limit: 9 });
    expect(found.map(({ text }) => text)).toStrictEqual(["first"]);
    await expect(guest.commit({ durability: "process", now: 1, documents: [left] })).rejects.toMatchObject({
      code: "journal_append_failed",
      message: expect.stringContaining(`nothing was written to ${file}: ${why}`),
    });
    await guest.close();
    expect(readdirSync(folder)).toStrictEqual(["simplefunctions.db"]);
  });

  test("has no stores where none are, and it is said why", async ({ skip }) => {
    const folder = smallDisk(64, skip);
    makeReadOnly(folder);
    await inTurn([folder, join(folder, "deep", "data")], (one) =>
      expect(openSqliteStore({ folder: one })).rejects.toMatchObject({
        message: expect.stringContaining("its file system is mounted read-only (EROFS)"),
      }),
    );
  });

  test("has stores whose last changes are in their log beside them, which are read", async ({ skip }) => {
    const folder = await snapshot(["", "-wal", "-shm"], skip);
    const guest = await openSqliteStore({ folder, role: "guest" });
    onTestFinished(() => guest.close());
    expect((await guest.readStream({ stream, accountId, limit: 9 })).length).toBe(1);
  });

  test("has stores whose log cannot be read there: nothing is read without it", async ({ skip }) => {
    const folder = await snapshot(["", "-wal"], skip);
    const file = databaseIn(folder);
    await expect(openSqliteStore({ folder, role: "guest" })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: `${file} cannot be read where it lies: its file system is mounted read-only (EROFS), and its log ${file}-wal must first be written into it. Copy the folder to where it can be written, and look at it there`,
    });
  });
});

/** A mounted copy of these files of a store that is being driven. */
async function snapshot(suffixes: readonly string[], skip: (note: string) => never): Promise<string> {
  const folder = smallDisk(2_048, skip);
  const source = dataFolder();
  const { write } = await open(source);
  await write("first");
  for (const suffix of suffixes) copyFileSync(databaseIn(source) + suffix, databaseIn(folder) + suffix);
  makeReadOnly(folder);
  return folder;
}

test.skipIf(process.platform === "win32")(
  "a file that may only be read cannot be driven, and says so; it is read all the same",
  async () => {
    const folder = dataFolder();
    const { store, write } = await open(folder);
    await write("first");
    await store.close();
    chmodSync(databaseIn(folder), 0o444);
    chmodSync(folder, 0o555);
    const other = startStoreProcess();
    onTestFinished(() => other.end());
    onTestFinished(() => chmodSync(folder, 0o755));
    // For the superuser modes mean nothing, so the other process becomes somebody else.
    expect(await other.ask({ act: "becomeNobody" })).toStrictEqual({ value: undefined });
    expect(await other.open({ folder })).toMatchObject({
      fault: {
        code: "host_configuration_needed",
        message: `${databaseIn(folder)} cannot be used: this user may not use it (EACCES). Make the folder and what is in it yours and writable, or name another folder`,
      },
    });
    await other.open({ folder, role: "guest" });
    expect(await other.call("readStream", { stream, accountId, limit: 9 })).toMatchObject([
      { text: "first" },
    ]);
  },
);

function setLink(link: typeof fs.linkSync): void {
  fs.linkSync = link;
  syncBuiltinESMExports();
}

/** Resolves when something is put into a folder. */
async function sawFile(folder: string): Promise<void> {
  const watcher = watch(folder);
  await once(watcher, "change");
  watcher.close();
}

/** Writes into the database past the store. */
function tamper(folder: string, sql: string, value: string | number): void {
  const other = new DatabaseSync(databaseIn(folder), { timeout: 5_000 });
  other.prepare(sql).run(value);
  other.close();
}

function overwrite(file: string, from: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from);
  writeFileSync(file, bytes);
}

/** Makes the nth page that holds this text unreadable. */
function damagePageOf(file: string, text: string, nth: number): void {
  const bytes = readFileSync(file);
  const pages = Array.from({ length: bytes.length / 8_192 }, (_, at) => at * 8_192);
  const holding = pages.filter((from) => bytes.subarray(from, from + 8_192).includes(text));
  bytes.fill(0xa5, holding[nth], (holding[nth] ?? 0) + 8_192);
  writeFileSync(file, bytes);
}

test("what is no value of a row is not blamed on the disk", async () => {
  const { store } = await open(dataFolder());
  const write = {
    kind: "k",
    accountId,
    id: "1",
    type: "put",
    expects: 0,
    status: "s",
    body: undefined,
  } as const;
  const unit = { durability: "power", now: 1, documents: [write] } as unknown as Unit;
  await expect(store.commit(unit)).rejects.toMatchObject({
    code: "journal_append_failed",
    message: expect.stringMatching(/cannot be bound .* Its disk is not to blame/),
  });
});

test.each<[unknown, string]>([
  ["/data", "each option of a store stands in an object: { folder, role, "],
  [{ path: "/data" }, "unknown option of a store path; known are folder, role, "],
  [{}, "a store lies in a folder: openSqliteStore({ folder })"],
])("a store is opened in a folder, and in nothing else: %j", async (given, message) => {
  await expect(openSqliteStore(given as { folder: string })).rejects.toThrow(message);
});
