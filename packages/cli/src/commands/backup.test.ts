import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { Home, notesPack, routedPack } from "../../test-data/run-sf.ts";
import { askUp, startUp } from "../../test-data/run-up.ts";

const config = "home/.config/simplefunctions";
const once = ["up", "--once", "--port", "0", "--no-markets"];

/** Puts a copy in the place of the data folder. */
function putBack(home: Home, copy = home.path("copy")): void {
  rmSync(home.path(".sf"), { recursive: true, force: true });
  cpSync(copy, home.path(".sf"), { recursive: true });
}

test("a copy that is made while the platform is up verifies where it lies, and goes on in its place with the same keys", async () => {
  const home = new Home();
  const up = await startUp(home, ["--port", "0", "--no-markets", "--pack", routedPack]);
  const { code, out } = await home.run(["backup", "copy"]);
  expect([code, out]).toStrictEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^${home.path("copy")}: a copy of ${home.path(".sf")} as it is now, \\d+\\.\\d KiB\n` +
          `  to look at it: sf trace verify --data ${home.path("copy")}\n` +
          `  keep ${home.path(config)}, too, and apart: [^\n]+\n$`,
      ),
    ),
  ]);
  expect(readdirSync(home.path("copy"))).toStrictEqual([".gitignore", "simplefunctions.db"]);
  expect((await askUp(home, `${up.url}/api/runtime`)).status).toBe(200);
  await up.stop();
  const look = await home.run(["trace", "verify", "--data", "copy"]);
  expect([look.code, look.err]).toStrictEqual([0, ""]);
  expect(look.out).toMatch(/open: the journal of local, 1 segment/);
  putBack(home);
  const again = await startUp(home, ["--port", "0", "--no-markets", "--pack", routedPack]);
  expect(again.out).not.toContain("shown this once");
  expect((await askUp(home, `${again.url}/api/runtime`)).status).toBe(200);
  await again.stop();
  expect((await home.run(["trace", "verify", "--data", ".sf"])).code).toBe(0);
});

test("a copy opens with the secret of its installation alone, wherever it is", async () => {
  const home = new Home();
  await home.run(once);
  await home.run(["backup", "copy"]);
  const other = new Home();
  putBack(other, home.path("copy"));
  expect(await other.run(once)).toMatchObject({
    code: 1,
    err: expect.stringContaining("belongs to an installation with another secret"),
  });
  rmSync(other.path(config), { recursive: true });
  cpSync(home.path(config), other.path(config), { recursive: true });
  const restored = await other.run(once);
  expect([restored.code, restored.out.includes("shown this once")]).toStrictEqual([0, false]);
  // Without the files of the first keys others are made, and those that were in them stay good.
  rmSync(other.path(`${config}/keys`), { recursive: true });
  const anew = await other.run(once);
  expect([anew.code, anew.out.match(/shown this once/g)?.length]).toStrictEqual([0, 2]);
});

test("what was done since a copy is not known to it: what was done before is not done again, what came later is", async () => {
  const home = new Home();
  home.write("write.json", { maxSideEffect: "user_write" });
  const data = ["--data", ".sf"];
  const add = async (key: string) => {
    const call = ["call", "notes.add", "--pack", notesPack, "--policy", "write.json", "--json", ...data];
    const { out } = await home.run([...call, "--idempotency-key", key, "--input", `{"text":"${key}"}`]);
    const { ok, replayed = false } = JSON.parse(out) as { ok: boolean; replayed?: boolean };
    return { ok, replayed };
  };
  expect(await add("before")).toStrictEqual({ ok: true, replayed: false });
  expect(await home.run(["backup", "copy", ...data, "--json"])).toMatchObject({ code: 0 });
  expect(await add("after")).toStrictEqual({ ok: true, replayed: false });
  expect(await add("after")).toStrictEqual({ ok: true, replayed: true });
  putBack(home);
  expect(await add("before")).toStrictEqual({ ok: true, replayed: true });
  expect(await add("after")).toStrictEqual({ ok: true, replayed: false });
});

test("it writes over nothing, into no data folder, and says of a database what copies that", async () => {
  const home = new Home();
  await home.run(once);
  mkdirSync(home.path("there"));
  const before = readFileSync(home.path(".sf/simplefunctions.db"));
  expect(await home.run(["backup", "there"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("is already there, and nothing is overwritten"),
  });
  expect(await home.run(["backup", ".sf/copy"])).toMatchObject({
    code: 2,
    err: expect.stringContaining(".sf/copy lies in the data folder that it is to be a copy of"),
  });
  expect(await home.run(["backup", "copy", "--data", "nowhere"])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`there is no store at ${home.path("nowhere/simplefunctions.db")}`),
  });
  const env = { SF_STORE: "postgres://me@db.example/house" };
  expect(await home.run(["backup", "copy"], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("pg_dump --schema=simplefunctions"),
  });
  expect(readFileSync(home.path(".sf/simplefunctions.db")).equals(before)).toBe(true);
  expect(existsSync(home.path("copy"))).toBe(false);
});
