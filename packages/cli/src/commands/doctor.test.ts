import { openSqliteStore } from "@spfunctions/host/store";
import { newInstallationSecret } from "@spfunctions/kernel";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sandboxState } from "@spfunctions/host/tools";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeReadOnly, smallDisk } from "../../../host/test/small-disk.ts";
import { adding, asked, askingHome, idIn, listed } from "../../test-data/asking-home.ts";
import { doctored, everythingIn, saidOf, troubles } from "../../test-data/doctor-home.ts";
import { Home, notesPack, unrulyPack } from "../../test-data/run-sf.ts";
import type { CliIo } from "../io/cli-io.ts";
import { lookAtJournal } from "../doctor/look-at-journal.ts";
import { accountsIn } from "../trace/open-journals.ts";

const config = "home/.config/simplefunctions";
const data = "home/.local/share/simplefunctions";
const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}'];

async function usedHome(): Promise<Home> {
  const home = new Home();
  await home.run(read);
  return home;
}

function change(home: Home, sql: string): void {
  const database = new DatabaseSync(home.path(`${data}/simplefunctions.db`));
  database.exec(sql);
  database.close();
}

/** Mounts a file system over a folder that has the same in it, and is read-only. */
function mountCopy(folder: string, skip: (note: string) => never): void {
  const kept = readFileSync(join(folder, "simplefunctions.db"));
  smallDisk(8_192, skip, folder);
  writeFileSync(join(folder, "simplefunctions.db"), kept, { mode: 0o600 });
  makeReadOnly(folder);
}

describe("sf doctor", () => {
  test("finds nothing wrong where nothing is yet, and makes nothing", async () => {
    const home = new Home();
    const before = everythingIn(home.folder);
    const said = await doctored(home);
    expect({ code: said.code, err: said.err, troubles: troubles(said) }).toStrictEqual({
      code: 0,
      err: "",
      troubles: [],
    });
    expect(said.checks.map(({ check }) => check)).toStrictEqual([
      "node",
      "sf",
      "sqlite",
      "environment",
      "terminal",
      "model",
      "files",
      "sandbox",
      "configuration",
      "installation",
      "key files",
      "signers",
      "data",
      "data",
      "data",
      "platform",
    ]);
    expect(everythingIn(home.folder)).toStrictEqual(before);
  });

  test("says whether commands can run in their sandbox, tried now, and where not, what to do", async () => {
    const [sandbox] = saidOf(await doctored(new Home()), "sandbox");
    const { state } = await sandboxState();
    const expected = state === "full" ? ["ok", false] : ["warn", true];
    expect([sandbox?.status, sandbox?.todo !== undefined]).toStrictEqual(expected);
    expect(sandbox?.facts).toMatchObject({ state });
  });

  test("S1: says whether the usual model has its key, by the variable's name, and asks nobody", async () => {
    const key = "sk-ant-a-key-of-mine-0123456789";
    const said = async (env: Record<string, string>) => saidOf(await doctored(new Home(env)), "model");
    const { facts: _, ...none } = (await said({}))[0] ?? {};
    expect(none).toStrictEqual({
      check: "model",
      status: "ok",
      what: "none is named in SF_MODEL; --model names one, sf run --demo needs none; no key of a provider is set",
    });
    const named = { SF_MODEL: "anthropic:claude-haiku-4-5" };
    expect(await said(named)).toStrictEqual([
      {
        check: "model",
        status: "warn",
        what: "anthropic:claude-haiku-4-5, from SF_MODEL, needs a key, and none is set",
        todo: "put it into ANTHROPIC_API_KEY or SF_MODEL_KEY",
        facts: { keys: [] },
      },
    ]);
    expect(await said({ ...named, ANTHROPIC_API_KEY: key })).toStrictEqual([
      {
        check: "model",
        status: "ok",
        what: "anthropic:claude-haiku-4-5, from SF_MODEL; set: ANTHROPIC_API_KEY",
        facts: { keys: ["ANTHROPIC_API_KEY"] },
      },
    ]);
    expect(await said({ SF_MODEL: key })).toMatchObject([
      { status: "fail", what: "this names no model", todo: expect.stringMatching(/^write scripted:<file>/) },
    ]);
  });

  test("says whether a person can be asked, and how wide what they are shown may be", async () => {
    const stdin = Object.assign((async function* none() {})(), { isTTY: true });
    const isTerminal = { stdout: true, stderr: true };
    const shown = async (given: Partial<CliIo>) => saidOf(await doctored(new Home(), [], given), "terminal");
    expect(await shown({})).toMatchObject([{ status: "ok", facts: { isAsked: false, columns: 100 } }]);
    const narrow = { stdin, isTerminal, columns: 62 };
    expect(await shown(narrow)).toMatchObject([
      { what: "a person can be asked here; 62 columns, coloured", facts: { isAsked: true, columns: 62 } },
    ]);
    expect(await shown({ ...narrow, env: { COLUMNS: "72", NO_COLOR: "1" } })).toMatchObject([
      { what: "a person can be asked here; 72 columns, plain, by NO_COLOR" },
    ]);
    expect(await shown({ ...narrow, columns: 7 })).toMatchObject([{ facts: { columns: 40 } }]);
  });

  test("says of which version a store is, and what to do about one of another", async () => {
    const home = await usedHome();
    expect(saidOf(await doctored(home), "data")[0]).toMatchObject({
      status: "ok",
      what: expect.stringMatching(/^of sf call: can be written, schema version 1, its disk has /),
      facts: { version: 1 },
    });
    change(home, "PRAGMA user_version = 99");
    expect(troubles(await doctored(home))).toStrictEqual([
      expect.stringMatching(/^fail data: .* has schema version 99 and this program knows versions up to 1$/),
    ]);
  });

  test("S1: looks at everything, shows the public key and no secret, and changes nothing", async () => {
    const home = await usedHome();
    await home.run(["keys", "create", "--name", "desk"]);
    const before = everythingIn(home.folder);
    const human = await home.run(["doctor"]);
    const said = await doctored(home);
    expect(everythingIn(home.folder)).toStrictEqual(before);
    expect({ code: said.code, troubles: troubles(said), end: human.out.split("\n").at(-2) }).toStrictEqual({
      code: 0,
      troubles: [],
      end: "all is in order",
    });
    const signed = JSON.parse((await home.run([...read, "--sign", "--json"])).out) as {
      receipt: { signature: { keyId: string } };
    };
    const [installation] = saidOf(said, "installation");
    expect(installation?.facts).toStrictEqual({
      source: "file",
      keyId: signed.receipt.signature.keyId,
      publicKey: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(human.out).toContain(`public key ${String(installation?.facts?.publicKey)}`);
    expect(saidOf(said, "key files")[0]?.what).toBe("3 key files, for their owner alone");
    const secrets = Object.keys(before)
      .filter((name) => name.endsWith(".key"))
      .map((name) => home.read(name).trim());
    expect(secrets).toHaveLength(4);
    const all = `${human.out}${human.err}${JSON.stringify(said)}`;
    expect(secrets.filter((secret) => all.includes(secret))).toStrictEqual([]);
  });

  test("names the variables that are set, never what they hold, and those that are mistaken", async () => {
    const secret = Buffer.from(newInstallationSecret()).toString("hex");
    const env = { SF_INSTALLATION_KEY: secret, SF_API_KYE: "sf_live_x", SF_DATA: "d\u001b[31m" };
    const said = await doctored(new Home(), [], { env });
    expect(saidOf(said, "environment")).toStrictEqual([
      {
        check: "environment",
        status: "warn",
        what: "set: SF_API_KYE, SF_DATA, SF_INSTALLATION_KEY, SF_TEST_NOTES; not read: SF_API_KYE (SF_API_KEY?)",
        todo: "correct the name, or unset it",
        facts: { names: ["SF_API_KYE", "SF_DATA", "SF_INSTALLATION_KEY", "SF_TEST_NOTES"] },
      },
    ]);
    expect(saidOf(said, "installation")[0]?.what).toMatch(
      /^its secret is in SF_INSTALLATION_KEY; it signs as/,
    );
    expect(JSON.stringify(said)).not.toContain(secret);
    // The same folder for two commands is looked at once.
    expect(saidOf(said, "data")).toHaveLength(2);
  });
});

describe("files that are not as they should be", () => {
  test("secrets that others can reach, links, and what is no file", async () => {
    const home = await usedHome();
    const keys = home.path(`${config}/keys`);
    mkdirSync(join(keys, "deep"), { recursive: true });
    const key = (name: string, mode = 0o600) => {
      writeFileSync(join(keys, name), "sf_live_", { mode });
      chmodSync(join(keys, name), mode);
    };
    key("open.key", 0o640);
    key("deep/open.key", 0o604);
    key("fine.key");
    symlinkSync(join(keys, "fine.key"), join(keys, "link.key"));
    symlinkSync(join(keys, "open.key"), join(keys, "link-to-open.key"));
    symlinkSync(join(keys, "none"), join(keys, "dangling.key"));
    mkdirSync(join(keys, "folder.key"));
    const said = await doctored(home);
    const found = saidOf(said, "key file").toSorted((a, b) => ((a.where ?? "") < (b.where ?? "") ? -1 : 1));
    const bad = found.map(({ where = "", status, what }) => [where.slice(keys.length + 1), status, what]);
    expect([said.code, bad]).toStrictEqual([
      1,
      [
        ["dangling.key", "fail", "is a link to nowhere"],
        ["deep/open.key", "fail", "can be reached by others than its owner (mode 0604)"],
        ["folder.key", "fail", "is not a file"],
        ["link-to-open.key", "fail", "can be reached by others than its owner (mode 0640)"],
        ["link.key", "warn", "is a link"],
        ["open.key", "fail", "can be reached by others than its owner (mode 0640)"],
      ],
    ]);
  });

  test("of very many it says how many more there are", async () => {
    const home = new Home();
    const keys = home.path(`${config}/keys`);
    mkdirSync(keys, { recursive: true });
    for (let at = 0; at < 300; at++) writeFileSync(join(keys, `${at}.key`), "", { mode: 0o644 });
    const said = await doctored(home);
    expect([saidOf(said, "key file").length, saidOf(said, "key files")[0]?.what]).toStrictEqual([
      20,
      "280 more of 300 are not as they should be",
    ]);
  });

  test("the installation's secret, the configuration folder and the list of signers", async () => {
    const home = await usedHome();
    const secret = home.path(`${config}/installation.key`);
    chmodSync(secret, 0o644);
    chmodSync(home.path(config), 0o777);
    home.write(`${config}/signers.json`, "[]");
    const open = await doctored(home);
    expect([open.code, troubles(open)]).toStrictEqual([
      1,
      [
        "fail configuration: others can write to it (mode 0777)",
        `fail installation: the installation's secret ${secret} can be reached by others than its owner (mode 0644)`,
        `fail signers: ${home.path(config)}/signers.json is not a list of signing keys`,
      ],
    ]);
    chmodSync(home.path(config), 0o700);
    home.write(`${config}/signers.json`, { v: 1, signers: [] });
    chmodSync(secret, 0o600);
    renameSync(secret, home.path("elsewhere.key"));
    symlinkSync(home.path("elsewhere.key"), secret);
    const linked = await doctored(home);
    expect([linked.code, troubles(linked)]).toStrictEqual([
      0,
      [
        expect.stringMatching(
          /^warn installation: its secret's file is a link; it signs as ed25519-\w+, public key [\w-]{43}$/,
        ),
      ],
    ]);
  });

  test("a configuration folder and data folders that are files", async () => {
    const home = new Home();
    const file = home.write("file", "");
    const env = { XDG_CONFIG_HOME: file, XDG_DATA_HOME: file, SF_DATA: undefined };
    home.write(".sf", "");
    const said = await doctored(home, [], { env });
    expect([said.code, troubles(said).map((line) => line.split(":", 1)[0])]).toStrictEqual([
      1,
      ["fail configuration", "fail installation", "fail data", "fail data", "fail data"],
    ]);
  });
});

describe("data folders", () => {
  test("a journal that was changed fails, and it is said where the details are", async () => {
    const home = await usedHome();
    change(home, "UPDATE records SET text = replace(text, 'notes.read', 'notes.rea0')");
    const before = everythingIn(home.folder);
    const said = await doctored(home);
    expect([said.code, saidOf(said, "journal")]).toMatchObject([
      1,
      [
        {
          status: "fail",
          what: expect.stringMatching(/^account local: seg_\S+: record \d+ /),
          todo: expect.stringContaining(`sf trace verify --data ${home.path(data)}`),
        },
      ],
    ]);
    expect(everythingIn(home.folder)).toStrictEqual(before);
  });

  test("a file that is no database, an empty one with a log, and another program's", async () => {
    const home = await usedHome();
    const file = home.path(`${data}/simplefunctions.db`);
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged.fill(1, 4096, 8192);
    const foreign = Buffer.from(whole);
    foreign.writeUInt32BE(7, 68);
    const said: unknown[] = [];
    for (const bytes of [Buffer.from("no database"), damaged, foreign, whole]) {
      writeFileSync(file, bytes);
      const { code, checks } = await doctored(home);
      said.push([code, checks.filter(({ status }) => status === "fail").map(({ check }) => check)]);
    }
    expect(said).toStrictEqual([
      [1, ["data"]],
      [1, ["data"]],
      [1, ["data"]],
      [0, []],
    ]);
  });

  test("a database that others can read, and one of another installation", async () => {
    const home = await usedHome();
    chmodSync(home.path(`${data}/simplefunctions.db`), 0o644);
    const env = { SF_INSTALLATION_KEY: Buffer.from(newInstallationSecret()).toString("hex") };
    const said = await doctored(home, [], { env });
    expect([said.code, troubles(said)]).toStrictEqual([
      1,
      [
        `warn data: others can reach ${home.path(`${data}/simplefunctions.db`)} (mode 0644)`,
        "fail owner: it belongs to an installation with another secret",
      ],
    ]);
  });

  test("one of an installation whose secret is not in this home, before a start makes another", async () => {
    const home = await usedHome();
    const other = new Home();
    const said = await doctored(other, [], { env: { SF_DATA: home.path(data) } });
    expect([said.code, troubles(said)]).toStrictEqual([
      1,
      ["fail owner: it belongs to an installation whose secret is not here"],
    ]);
    const file = other.path(`${config}/installation.key`);
    expect(saidOf(said, "owner")[0]?.todo).toBe(
      `open it with that one, in SF_INSTALLATION_KEY or as ${file}, or use another data folder`,
    );
    expect(existsSync(file)).toBe(false);
    mkdirSync(other.path(config), { recursive: true, mode: 0o700 });
    copyFileSync(home.path(`${config}/installation.key`), file);
    expect(troubles(await doctored(other, [], { env: { SF_DATA: home.path(data) } }))).toStrictEqual([]);
    chmodSync(file, 0o644);
    const unread = await doctored(other, [], { env: { SF_DATA: home.path(data) } });
    expect(saidOf(unread, "owner")).toStrictEqual([]);
    expect(saidOf(unread, "installation")[0]?.status).toBe("fail");
  });

  test("one on a file system that is mounted read-only is looked at, and no mode is blamed", async ({
    skip,
  }) => {
    const home = await usedHome();
    const folder = home.path(data);
    mountCopy(folder, skip);
    const said = await doctored(home);
    expect(saidOf(said, "data")[0]).toMatchObject({
      status: "fail",
      where: folder,
      what: "its file system is mounted read-only (EROFS): it can be looked at, and nothing can go on there",
      todo: "mount it writable, copy it to where it can be written, or name another folder in SF_DATA",
    });
    expect(saidOf(said, "journal")).toMatchObject([{ status: "ok", facts: { isWhole: true } }]);
    expect(await home.run(["trace", "verify", "--data", folder])).toMatchObject({ code: 0, err: "" });
    expect(await home.run(["effects", "ls", "--data", folder])).toStrictEqual({
      code: 0,
      out: "none is listed\n",
      err: `note: nothing can be written to ${folder}; what dead processes have left without an end there is not included\n`,
    });
  });

  test("X1: what a crash has left is told and left as it was, byte for byte; then what nobody knows", async () => {
    const home = new Home();
    const law = [
      "--pack",
      unrulyPack,
      "--policy",
      home.write("policy.json", { maxSideEffect: "user_write" }),
    ];
    const call = home.start(["call", "unruly.die_unkeyed", ...law, "--input", '{"text":"x"}']);
    expect((await call.ended).signal).toBe("SIGKILL");
    const before = everythingIn(home.folder);
    expect(Object.keys(before)).toContain(`${data}/simplefunctions.db-wal`);
    const crashed = await doctored(home);
    expect(everythingIn(home.folder)).toStrictEqual(before);
    expect([crashed.code, troubles(crashed)]).toStrictEqual([
      0,
      [
        `warn driver: process ${call.child.pid} drove it and ended without closing it`,
        "warn left effects: 1 without an end, whose process is gone (account local)",
      ],
    ]);
    expect(saidOf(crashed, "left effects")).toMatchObject([
      {
        todo: `sf effects ls --data ${home.path(data)} lists them; with --pack and --policy it is settled as far as can be`,
        facts: { left: 1, long: 0, underWay: 0 },
      },
    ]);
    // Beside a process that drives the folder nobody can tell, until it takes too long for that.
    await home.run(["effects", "ls"]);
    const besideADriver = async () => {
      const store = await openSqliteStore({ folder: home.path(data) });
      const said = await doctored(home);
      await store.close();
      return said;
    };
    const beside = await besideADriver();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const later = await besideADriver();
    vi.useRealTimers();
    expect([beside, later].map((one) => saidOf(one, "left effects")[0]?.what)).toStrictEqual([
      "1 without an end so far: under way, unless a crash has left them",
      "1 without an end for more than 10 minutes (account local)",
    ]);
    expect(saidOf(crashed, "journal")).toMatchObject([{ status: "ok" }]);
    await home.run(["effects", "ls", ...law]);
    const settled = await doctored(home);
    expect(saidOf(settled, "effects")).toStrictEqual([
      {
        check: "effects",
        status: "warn",
        where: home.path(data),
        what: "of 1 nobody knows what became (account local)",
        todo: `sf effects ls --data ${home.path(data)} lists them`,
        facts: { unknown: 1 },
      },
    ]);
  });

  test("looks at the folder that is named, and at no other", async () => {
    const home = new Home();
    await home.run([...read, "--data", "elsewhere"]);
    const named = await doctored(home, ["--data", "elsewhere"]);
    const wheres = ["data", "journal", "left effects"].map((check) => saidOf(named, check));
    expect([named.code, wheres.map((found) => found.map(({ where }) => where))]).toStrictEqual([
      0,
      [[home.path("elsewhere")], [home.path("elsewhere")], [home.path("elsewhere")]],
    ]);
    expect((await home.run(["doctor", "--data", "elsewhere", "--store", "postgres://x/y"])).code).toBe(2);
  });

  test("says of a named folder that nothing is kept in it: its name may be wrong", async () => {
    const home = new Home();
    mkdirSync(home.path("empty"));
    for (const named of ["elsewere", "empty"])
      expect(troubles(await doctored(home, ["--data", named]))).toStrictEqual([
        "warn data: nothing is kept in it",
      ]);
    expect(existsSync(home.path("elsewere"))).toBe(false);
  });

  test("says how many questions wait for an answer, until they are answered or have run out", async () => {
    const home = askingHome();
    await asked(home);
    const inOther = adding("--account", "other");
    expect((await home.run(inOther)).code).toBe(4);
    const about = { check: "approvals", where: home.path(data) };
    const open = await doctored(home);
    expect([open.code, saidOf(open, "approvals")]).toStrictEqual([
      0,
      [
        {
          ...about,
          status: "warn",
          what: "2 wait for an answer (account local, other)",
          todo: `sf approvals ls --data ${home.path(data)}, sf approvals ls --data ${home.path(data)} --account other list them`,
          facts: { pending: 2 },
        },
      ],
    ]);
    expect((await home.run(["doctor"])).out).not.toContain("all is in order");
    expect((await home.run(["approvals", "deny", idIn(await listed(home))])).code).toBe(0);
    const one = await doctored(home);
    const todo = `sf approvals ls --data ${home.path(data)} --account other lists them`;
    expect(saidOf(one, "approvals")).toMatchObject([{ what: "1 waits for an answer (account other)", todo }]);
    const named = ["approvals", "ls", "--data", home.path(data), "--account", "other"];
    expect((await home.run(named)).out).toMatch(/^appr_/);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_001 });
    onTestFinished(() => void vi.useRealTimers());
    const late = await doctored(home);
    expect(saidOf(late, "approvals")).toStrictEqual([
      { ...about, status: "ok", what: "none waits for an answer", facts: { pending: 0 } },
    ]);
  });

  test("a journal is looked at as far as was said, and Ctrl-C ends it", async () => {
    const home = await usedHome();
    for (let at = 0; at < 3; at++) await home.run(read);
    const store = await openSqliteStore({ folder: home.path(data), role: "guest" });
    try {
      const ending = new AbortController();
      const terms = { publicKeys: [], signal: ending.signal, progress: () => undefined };
      const whole = await lookAtJournal(store, { ...terms, mostRecords: 1000 });
      const some = await lookAtJournal(store, { ...terms, mostRecords: 4 });
      expect([whole.isWhole, whole.segments, some.isWhole, some.records < whole.records]).toStrictEqual([
        true,
        4,
        false,
        true,
      ]);
      expect(await accountsIn(store)).toStrictEqual(["local"]);
      ending.abort("SIGINT");
      await expect(lookAtJournal(store, { ...terms, mostRecords: 4 })).rejects.toMatchObject({
        code: "cancelled",
      });
    } finally {
      await store.close();
    }
    const ending = new AbortController();
    ending.abort("SIGINT");
    const { code, err } = await home.run(["doctor"], { signal: ending.signal });
    expect({ code, err }).toStrictEqual({
      code: 130,
      err: "error cancelled: cancelled; nothing was changed\n",
    });
    expect(existsSync(home.path(`${data}/simplefunctions.db-wal`))).toBe(false);
  });
});
