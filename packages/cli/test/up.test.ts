// The end of a platform, on real signals and in processes of its own: with notice, and without.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home, routedPack, type Started } from "../test-data/run-sf.ts";
import { askUp, isHeld, keyPath, urlIn, verified } from "../test-data/run-up.ts";

const upArgs = ["up", "--port", "0", "--pack", routedPack];

/** `sf up`, once it is. */
async function started(home: Home, argv: readonly string[] = upArgs): Promise<{ up: Started; url: string }> {
  const up = home.start(argv);
  onTestFinished(() => void up.child.kill("SIGKILL"));
  await up.says("Ctrl-C stops it.");
  return { up, url: urlIn(up.said) };
}

/** A call that is under way, until `let-go` is there. */
async function held(home: Home, url: string): Promise<{ call: ReturnType<typeof askUp> }> {
  const call = askUp(home, `${url}/api/routed/hold`, { method: "PUT", body: { file: home.path("let-go") } });
  call.catch(() => undefined);
  await isHeld(home);
  return { call };
}

describe.each(["SIGINT", "SIGTERM"] as const)("%s", (signal) => {
  test("ends event streams, waits for the call under way, seals the journal, and exits with 0", async () => {
    const home = new Home();
    const { up, url } = await started(home);
    const authorization = `Bearer ${readFileSync(keyPath(home, "starter"), "utf8").trim()}`;
    const events = await fetch(`${url}/api/events`, { headers: { authorization } });
    const { call } = await held(home, url);
    up.child.kill(signal);
    // The stream ends first: now it waits for the call alone.
    await events.text();
    home.write("let-go", "");
    expect(await call).toMatchObject({ status: 200, answer: { ok: true, data: { held: true } } });
    expect(await up.ended).toMatchObject({
      code: 0,
      signal: null,
      err: "",
      out: expect.stringMatching(/\nstopped; everything is kept in .*\n$/),
    });
    expect(readdirSync(home.path(".sf"))).toStrictEqual([".gitignore", "simplefunctions.db"]);
    expect(await verified(home)).toBe("ok: the journal of local, 1 segment, 1 signed by a known key");
  });
});

describe("after kill -9", () => {
  test("X1: the next start works, tells what it settled, and has lost nothing, also on another port", async () => {
    const port = createServer()
      .listen(7700, "127.0.0.1")
      .on("error", () => undefined);
    onTestFinished(() => void port.close());
    const home = new Home();
    const first = await started(home);
    await askUp(home, `${first.url}/api/routed`, { body: { text: "kept" } });
    await held(home, first.url);
    const starter = readFileSync(keyPath(home, "starter"), "utf8");
    first.up.child.kill("SIGKILL");
    await first.up.ended;
    expect(JSON.parse(home.read(".sf/platform.json"))).toMatchObject({ pid: first.up.child.pid });
    home.write("let-go", "");

    const second = await started(home, ["up", "--pack", routedPack]);
    expect(JSON.parse(home.read(".sf/platform.json"))).toMatchObject({
      pid: second.up.child.pid,
      url: second.url,
    });
    expect(await askUp(home, `${second.url}/api/routed`, { body: { text: "more" } })).toMatchObject({
      status: 200,
      answer: { data: { count: 4 } },
    });
    second.up.child.kill("SIGTERM");
    const { code, err, out } = await second.up.ended;
    expect([code, out.includes("sf_live_")]).toStrictEqual([0, false]);
    expect(err).toMatch(
      /^recovery: a crash had left 1 without an end\n {2}routed\.hold \(call_[^)]+\): completed; it was tried again under the same key\nnote: the usual port is taken/,
    );
    expect(readFileSync(keyPath(home, "starter"), "utf8")).toBe(starter);
    expect(home.read("notes")).toBe("kept\nheld\nheld\nmore\n");
    expect(await verified(home)).toBe("ok: the journal of local, 2 segments, 2 signed by a known key");
  });

  test("X1: what the tools of this start cannot settle is left, and told on lines of their own", async () => {
    const home = new Home();
    const first = await started(home);
    await held(home, first.url);
    first.up.child.kill("SIGKILL");
    await first.up.ended;
    const { code, err } = await home.run(["up", "--once", "--port", "0"]);
    expect(code).toBe(0);
    const [line = "", ...rest] = err.split("\n");
    expect(JSON.parse(line)).toMatchObject({ level: "warn", tool: "routed.hold", accountId: "local" });
    expect(rest.slice(0, 2)).toStrictEqual([
      "recovery: a crash had left 1 without an end",
      expect.stringMatching(/^ {2}routed\.hold \(call_[^)]+\): left as it was$/),
    ]);
  });
});
