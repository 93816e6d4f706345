// The process really dies, in the middle of a tool.
import { describe, expect, test } from "vitest";
import { Home, unrulyPack } from "../../test-data/run-sf.ts";

function writingHome(): Home {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "user_write" });
  return home;
}

const packs = ["--pack", unrulyPack];
const unruly = (tool: string, ...argv: string[]) => [
  "call",
  `unruly.${tool}`,
  ...packs,
  "--policy",
  "policy.json",
  ...argv,
];

describe("a crash", () => {
  const report = String.raw`^recovery: a crash had left 1 without an end\n {2}unruly\.\w+ \(call_[^)]+\): `;

  test("X1: of what can be repeated is settled by repeating it once, and told", async () => {
    const home = writingHome();
    const crashed = await home.start(unruly("die_keyed", "--input", '{"text":"x"}')).ended;
    expect(crashed.signal).toBe("SIGKILL");
    const next = await home.run(unruly("shout", "--json"));
    expect(next.err).toMatch(new RegExp(`${report}completed; it was tried again under the same key\n$`));
    expect(JSON.parse(next.out)).toMatchObject({
      ok: true,
      recovery: { settled: [{ tool: "unruly.die_keyed", outcome: "completed", by: "retry" }], unknown: [] },
    });
    expect((await home.run(unruly("shout", "--json"))).err).toBe("");
    expect(home.read("notes")).toBe("died of x\ndone\n");
  });

  test("X1: of what cannot is told as unknown, with what a person can do, until somebody has done it", async () => {
    const home = writingHome();
    await home.start(unruly("die_unkeyed", "--input", '{"text":"x"}')).ended;
    const next = await home.run(unruly("shout", "--json"));
    expect(next.err).toMatch(
      new RegExp(
        String.raw`${report}unknown; nobody can tell\n {4}repeating it could do it twice; find out at the other side \(key eff_[^)]+\) whether it happened, then say so with sf effects resolve eff_[^ ]+ --status … --note …\n`,
      ),
    );
    const { recovery } = JSON.parse(next.out) as { recovery: { unknown: { effectId: string }[] } };
    const later = await home.run(unruly("shout"));
    expect(later.err).toContain(
      `unknown: unruly.die_unkeyed (${recovery.unknown[0]?.effectId}): repeating it could do it twice\n`,
    );
    expect(home.read("notes")).toBe("died of x\n");
  });

  test("X1: of what another pack or policy could settle is told as left, and who can", async () => {
    const home = writingHome();
    await home.start(unruly("die_keyed", "--input", '{"text":"x"}')).ended;
    const { err } = await home.run(["call", "unruly.shout", ...packs, "--json"]);
    expect(err).toMatch(
      new RegExp(
        String.raw`${report}left as it was\n {4}it is not allowed now: .*\n {4}whoever called it settles it by opening this data folder with its pack .*: sf effects ls --pack … --policy …\n$`,
      ),
    );
  });
});
