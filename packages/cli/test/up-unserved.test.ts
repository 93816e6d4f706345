// Tools without a route: a platform that is given them says that it does not serve them, and so does every way to them.
import { expect, test } from "vitest";
import { Home, notesPack, routedPack } from "../test-data/run-sf.ts";
import { startUp } from "../test-data/run-up.ts";

test("a tool without an http member is named at the start, and whoever calls it is told that it has no route", async () => {
  const home = new Home();
  const argv = ["--port", "0", "--no-markets", "--pack", notesPack, "--pack", routedPack];
  const { out, stop } = await startUp(home, argv);
  const [, named = ""] = /\n {2}note: (.*) cannot be called here: /.exec(out) ?? [];
  expect(named.split(", ")).toContain("notes.read");
  expect(named).not.toContain("routed.");

  const called = await home.run(["agent", "--tool", "notes.read", "--input", '{"id":7}']);
  expect([called.code === 0, called.err]).toStrictEqual([
    false,
    expect.stringMatching(/^error tool_not_callable: notes\.read has no route on the platform: /m),
  ]);
  expect((await home.run(["explain", "notes.read"])).err).toContain(
    "note: notes.read has no route on the platform",
  );
  const listed = (await home.run(["manifest"])).out;
  expect(listed).toMatch(/^notes\.read .*implemented, no route/m);
  expect(listed).toMatch(/^routed\.add .*implemented {2}/m);
  expect((await home.run(["manifest", "notes.read"])).out).toMatch(/^route +none: /m);

  const { err } = await stop();
  expect(JSON.parse(err)).toMatchObject({
    level: "warn",
    event: "tools.unserved",
    tools: named.split(", "),
  });
});
