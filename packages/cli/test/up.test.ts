// The end of a platform, on real signals and in processes of its own: with notice, and without.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home, keyedPack, routedPack, type Started } from "../test-data/run-sf.ts";
import { askUp, isHeld, isNoted, keyPath, spawnUp, verified } from "../test-data/run-up.ts";

async function started(
  home: Home,
  argv: readonly string[] = ["--port", "0", "--pack", routedPack],
): Promise<{ up: Started; url: string }> {
  const { started: up, url } = await spawnUp(home, argv);
  return { up, url };
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

    const second = await started(home, ["--pack", routedPack]);
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
    expect([code, out.includes("sf_live_"), err]).toStrictEqual([0, false, ""]);
    expect(out).toMatch(
      /^recovery: a crash had left 1 without an end\n {2}routed\.hold \(call_[^)]+\): completed; it was tried again under the same key\nSimpleFunctions is up at/,
    );
    expect(out).toContain("\n  note: the usual port is taken by another program; ");
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
    const { code, out, err } = await home.run(["up", "--once", "--port", "0"]);
    expect(code).toBe(0);
    expect(JSON.parse(err)).toMatchObject({ level: "warn", tool: "routed.hold", accountId: "local" });
    expect(out.split("\n").slice(0, 2)).toStrictEqual([
      "recovery: a crash had left 1 without an end",
      expect.stringMatching(/^ {2}routed\.hold \(call_[^)]+\): left as it was$/),
    ]);
    expect(out).toContain(
      "\n    start sf up again with its --pack (--markets for the example), under a policy that allows it, ",
    );
    expect(await home.run(resolvingIn(out))).toMatchObject({ code: 0 });
    expect((await home.run(["effects", "ls", "--data", ".sf"])).out).toContain("none: every effect");
  });

  test("S1, X1: the log is JSON alone and has no key of a caller; the screen has a command that settles what is unknown", async () => {
    const home = new Home();
    const argv = ["--no-markets", "--port", "0", "--pack", keyedPack];
    const first = await spawnUp(home, argv);
    const key = "key-of-a-caller-0123456789";
    const body = { file: home.path("never") };
    const headers = { "idempotency-key": key };
    const cut = askUp(home, `${first.url}/api/keyed/once`, { body, headers }).catch(() => "cut");
    await isNoted(home, `${body.file} 1`);
    first.started.child.kill("SIGKILL");
    expect([await cut, (await first.started.ended).code]).toStrictEqual(["cut", -1]);

    const second = await spawnUp(home, argv);
    second.started.child.kill("SIGTERM");
    const { out, err } = await second.started.ended;
    const lines = err
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ids = {
      callId: expect.stringMatching(/^call_/),
      effectId: expect.stringMatching(/^eff_/),
      time: expect.any(String),
    };
    const said = { level: "warn", event: "call.unknown", message: "nobody knows what became of a call" };
    const about = { code: "recovery_needed", accountId: "local", tool: "keyed.once" };
    expect(lines).toStrictEqual([{ ...said, ...about, ...ids }]);
    const command = resolvingIn(out);
    expect(command).toContain(home.path(".sf"));
    expect(await home.run(command)).toMatchObject({ code: 0 });
    expect((await home.run(["effects", "ls", "--data", ".sf"])).out).toContain("none: every effect");
  });
});

/** The command on the screen, with what is left open in it filled in. */
function resolvingIn(out: string): string[] {
  const [command = ""] = out.match(/(?<=sf )effects resolve .*/) ?? [];
  const filled = { "--status …": "--status failed", "--note …": "--note nothing-there" };
  return Object.entries(filled)
    .reduce((said, [open, word]) => said.replace(open, word), command)
    .split(" ");
}
