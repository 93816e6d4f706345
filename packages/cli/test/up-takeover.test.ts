// Several platforms on one database: what one of them leaves that is killed, another settles without anybody starting one.
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import { Home, keyedPack } from "../test-data/run-sf.ts";
import { askUp, isNoted, spawnUp } from "../test-data/run-up.ts";

describePostgres("platforms on one database", (postgres) => {
  test("X1, J3: a killed one's call is made again by another, with its key; a living one's is left alone", {
    timeout: 60_000,
  }, async () => {
    const home = new Home({ SF_STORE: (await postgres().newDatabase()).url });
    home.write("limits.json", { sweepMs: 20 });
    const argv = ["--port", "0", "--no-markets", "--pack", keyedPack, "--limits", "limits.json"];
    // One after the other: the first makes the keys.
    const [living, killed, other] = [
      await spawnUp(home, argv),
      await spawnUp(home, argv),
      await spawnUp(home, argv),
    ];
    const files = { living: home.path("living-goes-on"), killed: home.path("killed-goes-on") };
    const send = (url: string, call: keyof typeof files) =>
      askUp(home, `${url}/api/keyed`, { body: { file: files[call] }, headers: { "idempotency-key": call } });
    const answered = send(living.url, "living");
    const cut = send(killed.url, "killed").catch(() => "cut");
    await isNoted(home, `${files.living} 1`);
    await isNoted(home, `${files.killed} 1`);
    const inProgress = { status: 409, answer: { error: { code: "idempotency_in_progress" } } };
    expect(await send(other.url, "killed")).toMatchObject(inProgress);

    killed.started.child.kill("SIGKILL");
    expect(await cut).toBe("cut");
    await isNoted(home, `${files.killed} 2`);
    home.write("killed-goes-on", "");
    let again = await send(other.url, "killed");
    while (again.status === 409) {
      await after(10);
      again = await send(other.url, "killed");
    }
    expect(again).toMatchObject({ status: 200, answer: { data: { attempt: 2 }, meta: { replayed: true } } });

    // Whoever took that over has looked at this one, too.
    expect(await send(other.url, "living")).toMatchObject(inProgress);
    home.write("living-goes-on", "");
    expect(await answered).toMatchObject({ status: 200, answer: { data: { attempt: 1 } } });
    expect(home.read("notes").trim().split("\n").toSorted()).toStrictEqual(
      [`${files.killed} 1`, `${files.killed} 2`, `${files.living} 1`].toSorted(),
    );
    for (const { started } of [living, other]) {
      started.child.kill("SIGTERM");
      expect(await started.ended).toMatchObject({ code: 0, err: "" });
    }
    expect(await home.run(["trace", "verify"])).toMatchObject({ code: 0 });
  });

  test("X1: what a killed one began and nobody may repeat is unknown, and said once by whoever finds it", {
    timeout: 60_000,
  }, async () => {
    const home = new Home({ SF_STORE: (await postgres().newDatabase()).url });
    home.write("limits.json", { sweepMs: 20 });
    const argv = ["--port", "0", "--no-markets", "--pack", keyedPack, "--limits", "limits.json"];
    const killed = await spawnUp(home, argv);
    const other = await spawnUp(home, argv);
    const file = home.path("never");
    const cut = askUp(home, `${killed.url}/api/keyed/once`, { body: { file } }).catch(() => "cut");
    await isNoted(home, `${file} 1`);
    killed.started.child.kill("SIGKILL");
    expect(await cut).toBe("cut");
    await other.started.says('"call.unknown"');
    expect((await home.run(["effects", "ls", "--json"])).out).toContain('"tool": "keyed.once"');
    other.started.child.kill("SIGTERM");
    const { code, err } = await other.started.ended;
    expect([
      code,
      err
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ]).toMatchObject([0, [{ level: "warn", event: "call.unknown", tool: "keyed.once" }]]);
    expect(home.read("notes")).toBe(`${file} 1\n`);
  });
});
