// The end of a platform, as the real program: what does not end in time is cancelled, journaled and answered, and the screen says so.
import { expect, test } from "vitest";
import { Home, keyedPack, routedPack } from "../test-data/run-sf.ts";
import { askUp, isHeld, isNoted, spawnUp, verified } from "../test-data/run-up.ts";

const bare = ["--port", "0", "--no-markets", "--pack", keyedPack, "--pack", routedPack];

test("J1: Ctrl-C cancels what takes longer than graceMs, also of a tool that ignores its signal, and seals the journal", {
  timeout: 60_000,
}, async () => {
  const home = new Home();
  home.write("limits.json", { graceMs: 50 });
  const { url, started } = await spawnUp(home, [...bare, "--limits", "limits.json"]);
  const body = { file: home.path("never") };
  const sent = [
    askUp(home, `${url}/api/keyed/once`, { body }),
    askUp(home, `${url}/api/routed/hold`, { method: "PUT", body }),
  ];
  await isNoted(home, `${body.file} 1`);
  await isHeld(home);
  started.child.kill("SIGINT");
  const answers = await Promise.all(sent);
  expect(answers).toMatchObject([cancelled, cancelled]);
  const { code, out, err } = await started.ended;
  const callIds = answers.map(({ answer }) => (answer as Cancelled).meta.receipt.callId);
  expect(code).toBe(0);
  for (const [at, tool] of ["keyed.once", "routed.hold"].entries())
    expect(out).toContain(
      `\ncancelled: ${tool} (${callIds[at]}) had not ended in time; its caller was told\n`,
    );
  expect(out).toMatch(/\nstopped; everything is kept in \S+\n$/);
  expect(
    err
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { event: string }).event),
  ).toStrictEqual(["call.cut", "call.cut"]);
  expect(await verified(home)).toMatch(/^ok: the journal of local, 1 segment,/);
  const next = await spawnUp(home, bare);
  next.started.child.kill("SIGINT");
  expect(await next.started.ended).toMatchObject({ code: 0, err: "" });
});

type Cancelled = { readonly meta: { readonly receipt: { readonly callId: string } } };
const cancelled = { status: 499, answer: { ok: false, error: { code: "cancelled" } } };
