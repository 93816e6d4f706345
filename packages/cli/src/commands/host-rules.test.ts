// G1: a rule that a pack exports holds wherever the pack is named: `sf call`, `sf run`, `sf runs resume`, `sf chat`, `sf agent`, `sf up`,
// `sf explain`. Every command gets the same rule, which denies one note.
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { adds, chatting, says, withPolicy as chatPolicy } from "../../test-data/chat-home.ts";
import { adding, approvalIdIn, runIdIn, running, saying, withPolicy } from "../../test-data/run-scripts.ts";
import { Home, notesPack, routedPack } from "../../test-data/run-sf.ts";
import { askUp, startUp } from "../../test-data/run-up.ts";

const ruleText = (version: string) => `
const evaluatePreTool = ({ input }) =>
  input?.text === "poison"
    ? { outcome: "deny", reason: "nobody notes that" }
    : input?.text === "wine" ? { outcome: "ask" } : { outcome: "allow" };
export const rules = [{ id: "notes", version: "${version}", evaluatePreTool }];
`;

/** A home with the rule in a module of its own. */
function homeWithRule(): Home {
  const home = new Home();
  home.write("rule.ts", ruleText("1"));
  home.write("policy.json", { maxSideEffect: "user_write" });
  return home;
}

const notesIn = (home: Home) =>
  existsSync(home.path("notes"))
    ? home
        .read("notes")
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ").at(-1))
    : [];
const filesIn = (home: Home) => readdirSync(home.folder, { recursive: true, encoding: "utf8" }).toSorted();
const ruled = ["--pack", notesPack, "--pack", "./rule.ts"];
const add = (note: string) => [
  "notes.add",
  "--input",
  JSON.stringify({ text: note }),
  "--policy",
  "policy.json",
];

describe("a rule that a pack exports is asked", () => {
  test("by sf call", async () => {
    const home = homeWithRule();
    const refused = await home.run(["call", ...add("poison"), ...ruled]);
    expect([refused.code, refused.err]).toStrictEqual([
      3,
      expect.stringContaining("notes: nobody notes that"),
    ]);
    expect((await home.run(["call", ...add("milk"), ...ruled])).code).toBe(0);
    expect(notesIn(home)).toStrictEqual(["milk"]);
  });

  test("about an output, by sf call", async () => {
    const home = homeWithRule();
    home.write(
      "after.ts",
      'export const rules = [{ id: "after", version: "1", evaluatePostTool: () => ({ outcome: "deny", reason: "not for you" }) }];',
    );
    const { code, out, err } = await home.run([
      "call",
      ...add("milk"),
      "--pack",
      notesPack,
      "--pack",
      "./after.ts",
    ]);
    expect([code, out.includes('"count"'), notesIn(home)]).toStrictEqual([3, false, ["milk"]]);
    expect(err).toContain("after: not for you");
  });

  test("by sf explain, which asks it where it has the input, and says so where it has not", async () => {
    const home = homeWithRule();
    const explain = async (...argv: string[]) => await home.run(["explain", ...argv, ...ruled]);
    const before = filesIn(home);
    const refused = await explain(...add("poison"));
    expect([refused.code, refused.out]).toStrictEqual([
      3,
      expect.stringContaining("refused at gate pre_tool"),
    ]);
    const asked = await explain(...add("wine"));
    expect([asked.code, asked.out]).toStrictEqual([
      4,
      expect.stringContaining("a person must approve at gate pre_tool"),
    ]);
    const allowed = await explain(...add("milk"));
    expect([allowed.code, allowed.out.trimEnd().split("\n").at(-1)]).toStrictEqual([
      0,
      "allowed: no gate stopped it",
    ]);
    const open = await explain("notes.add", "--policy", "policy.json");
    expect(open.out.split("\n").find((line) => line.includes("nothing else stopped it"))).toMatch(
      /^unchecked: /,
    );
    const json = JSON.parse((await explain("notes.add", "--policy", "policy.json", "--json")).out) as object;
    expect(json).toMatchObject({
      outcome: "unchecked",
      code: "unchecked",
      reason: expect.stringMatching(/^unchecked: /),
      unchecked: ["input", "trade", "capability", "pre_tool", "approval"],
    });
    expect([notesIn(home), filesIn(home)]).toStrictEqual([[], before]);
  });

  test("once where two packs export it", async () => {
    const home = homeWithRule();
    home.write("again.ts", 'export { rules } from "./rule.ts";');
    const twice = [...ruled, "--pack", "./again.ts", "--pack", "./rule.ts"];
    const refused = await home.run(["call", ...add("poison"), ...twice]);
    expect([refused.code, refused.err]).toStrictEqual([
      3,
      expect.stringContaining("notes: nobody notes that"),
    ]);
    expect((await home.run(["call", ...add("milk"), ...twice])).code).toBe(0);
    expect(notesIn(home)).toStrictEqual(["milk"]);
  });

  test("by nobody in a replay: what was recorded is answered again", async () => {
    const home = homeWithRule();
    expect((await home.run(["call", ...add("milk"), ...ruled, "--record-trace", "t.jsonl"])).code).toBe(0);
    home.write("never.ts", ruleText("2").replace('"poison"', '"milk"'));
    const packs = ["--pack", notesPack, "--pack", "./never.ts"];
    const replayed = await home.run(["call", ...add("milk"), ...packs, "--replay-trace", "t.jsonl"]);
    expect([replayed.code, notesIn(home)]).toStrictEqual([0, ["milk"]]);
  });

  test("by sf run, and by sf runs resume", async () => {
    const home = homeWithRule();
    const steps = [adding("poison"), adding("milk"), saying("done")];
    const { code, err } = await home.run([...running(home, steps, ...withPolicy), "--pack", "./rule.ts"]);
    expect([code, notesIn(home)]).toStrictEqual([4, []]);
    expect(err).toContain("notes.add: refused: the host's policy objects");
    expect((await home.run(["approvals", "approve", approvalIdIn(err)])).code).toBe(0);
    const resume = ["runs", "resume", runIdIn(err), "--model", "scripted:script.json"];
    const without = await home.run([...resume, "--pack", notesPack]);
    expect([without.code, without.err]).toStrictEqual([
      3,
      expect.stringContaining("under other rules of the host"),
    ]);
    home.write("rule2.ts", ruleText("2"));
    const changed = await home.run([...resume, "--pack", notesPack, "--pack", "./rule2.ts"]);
    expect([changed.code, notesIn(home)]).toStrictEqual([3, []]);
    const resumed = await home.run([...resume, ...ruled]);
    expect([resumed.code, resumed.out, notesIn(home)]).toStrictEqual([0, "done\n", ["milk"]]);
  });

  test("by sf chat", async () => {
    const home = homeWithRule();
    const argv = chatting(
      home,
      [says("I note.", adds("poison")), says("No.")],
      ...chatPolicy,
      "--once",
      "hi",
    );
    const { code, err } = await home.run([...argv, "--pack", "./rule.ts"]);
    expect([code, err]).toStrictEqual([0, expect.stringContaining("refused: the host's policy objects")]);
    expect(notesIn(home)).toStrictEqual([]);
  });

  test("by the platform that sf up opens, for every key", async () => {
    const home = homeWithRule();
    const up = await startUp(home, ["--port", "0", "--pack", routedPack, "--pack", "./rule.ts"]);
    for (const role of ["starter", "operator"] as const) {
      const { status, answer } = await askUp(home, `${up.url}/api/routed`, {
        body: { text: "poison" },
        role,
      });
      expect([status, answer]).toMatchObject([403, { error: { code: "policy_denied" } }]);
    }
    expect(notesIn(home)).toStrictEqual([]);
  });

  test("by sf agent, whose platform is opened with the pack", async () => {
    const home = homeWithRule();
    const argv = (note: string) => [
      "agent",
      "--tool",
      "routed.add",
      "--input",
      JSON.stringify({ text: note }),
    ];
    const packs = ["--pack", routedPack, "--pack", "./rule.ts", "--policy", "policy.json"];
    const refused = await home.run([...argv("poison"), ...packs]);
    expect([refused.code, notesIn(home)]).toStrictEqual([3, []]);
    expect((await home.run([...argv("milk"), ...packs])).code).toBe(0);
    expect(notesIn(home)).toStrictEqual(["milk"]);
  });
});

describe("what a person has approved under the rule", () => {
  test("sf explain says that the call would run by it, and uses nothing up; under another version it does not fit", async () => {
    const home = homeWithRule();
    home.write("rule2.ts", ruleText("2"));
    const first = await home.run(["call", ...add("wine"), ...ruled]);
    expect(first.code).toBe(4);
    const id = approvalIdIn(first.err);
    const explain = async () =>
      JSON.parse((await home.run(["explain", ...add("wine"), ...ruled, "--json"])).out) as object;
    expect(await explain()).toMatchObject({ outcome: "ask", pendingApprovalId: id });
    expect((await home.run(["approvals", "approve", id])).code).toBe(0);
    for (const _ of [1, 2])
      expect(await explain()).toMatchObject({ outcome: "allow", coveredBy: { approvalId: id } });
    const other = await home.run(["call", ...add("wine"), "--pack", notesPack, "--pack", "./rule2.ts"]);
    expect([other.code, approvalIdIn(other.err) === id, notesIn(home)]).toStrictEqual([4, false, []]);
    expect((await home.run(["call", ...add("wine"), ...ruled])).code).toBe(0);
    expect(notesIn(home)).toStrictEqual(["wine"]);
  });
});

describe("a pack whose rule cannot hold is refused, by every command that names it", () => {
  const commands: readonly (readonly [string, (home: Home) => readonly string[]])[] = [
    ["call", () => ["call", ...add("milk"), "--pack", notesPack]],
    ["explain", () => ["explain", "notes.add", "--pack", notesPack]],
    ["run", (home) => running(home, [saying("done")])],
    ["chat", (home) => chatting(home, [says("No.")], "--once", "hi")],
    ["up", () => ["up", "--once", "--port", "0", "--pack", routedPack]],
    ["agent", () => ["agent", "--tool", "routed.add", "--pack", routedPack]],
    ["effects", () => ["effects", "ls", "--pack", notesPack]],
    ["policy", () => ["policy", "check", "policy.json", "--pack", notesPack]],
  ];
  test.each(commands)("sf %s", async (_, argvIn) => {
    const home = homeWithRule();
    home.write("bare.ts", 'export const evaluatePreTool = () => ({ outcome: "deny" });');
    const { code, err } = await home.run([...argvIn(home), "--pack", "./bare.ts"]);
    expect([code, err]).toStrictEqual([
      2,
      expect.stringMatching(
        /pack \.\/bare\.ts: it exports evaluatePreTool, which has no id and no version; write export const rules/,
      ),
    ]);
    expect(notesIn(home)).toStrictEqual([]);
  });

  test.each(["hooks", "canUseTool"])("where it exports %s, which no command asks", async (name) => {
    const home = homeWithRule();
    home.write("hooked.ts", `export const ${name} = {};`);
    const { code, err } = await home.run([
      "call",
      ...add("milk"),
      "--pack",
      notesPack,
      "--pack",
      "./hooked.ts",
    ]);
    expect([code, err]).toStrictEqual([
      2,
      expect.stringContaining(`it exports ${name}, which sf would not ask`),
    ]);
  });

  const inside = (what: string) =>
    `const deny = () => ({ outcome: "deny" });\nconst rules = [{ id: "a", version: "1", evaluatePreTool: deny }];\n${what}`;
  const source = JSON.stringify(notesPack);
  test.each([
    [
      "inside of a default export",
      "inside.mjs",
      `export * from ${source};\nexport default { rules };`,
      "it has rules inside its export default",
    ],
    [
      "without an id, inside of a default export",
      "inside.mjs",
      `export * from ${source};\nexport default { evaluatePreTool: deny };`,
      "it has evaluatePreTool inside its export default",
    ],
    [
      "on its list of tools",
      "list.cjs",
      `module.exports = Object.assign([...require(${source}).tools], { rules });`,
      "it has rules inside its export default",
    ],
  ])("where it is %s, where no command looks", async (_, file, text, words) => {
    const home = homeWithRule();
    home.write(file, inside(text));
    for (const argv of [
      ["call", ...add("milk")],
      ["explain", ...add("milk")],
      ["effects", "ls"],
    ]) {
      const { code, err } = await home.run([...argv, "--pack", `./${file}`]);
      expect([code, err]).toStrictEqual([2, expect.stringContaining(words)]);
    }
    expect(notesIn(home)).toStrictEqual([]);
  });

  test("where another pack has a rule of the same id, whichever is named first", async () => {
    const home = homeWithRule();
    home.write("other.ts", ruleText("2"));
    for (const packs of [
      ["./rule.ts", "./other.ts"],
      ["./other.ts", "./rule.ts"],
    ]) {
      const named = packs.flatMap((pack) => ["--pack", pack]);
      const { code, err } = await home.run(["call", ...add("milk"), "--pack", notesPack, ...named]);
      expect([code, err]).toStrictEqual([2, expect.stringContaining("two rules have the id notes")]);
    }
    expect(notesIn(home)).toStrictEqual([]);
  });

  test.each([
    [
      "is no function",
      'export const rules = [{ id: "a", version: "1", evaluatePreTool: true }]',
      "is no function",
    ],
    [
      "has no version",
      'export const rules = { id: "a", evaluatePreTool: () => ({ outcome: "allow" }) }',
      "version",
    ],
    ["throws when it is looked at", "export const rules = new Proxy([], { get() { throw 1 } })", "throw"],
  ])("where it %s", async (_, text, word) => {
    const home = homeWithRule();
    home.write("bad.ts", text);
    const { code, err } = await home.run(["call", ...add("milk"), "--pack", notesPack, "--pack", "./bad.ts"]);
    expect([code, err]).toStrictEqual([2, expect.stringContaining("pack ./bad.ts: ")]);
    expect(err).toContain(word);
  });
});
