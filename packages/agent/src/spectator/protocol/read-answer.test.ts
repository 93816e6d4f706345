import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aCall, aNote, speech } from "../../../test-data/hostile-speech.ts";
import { blockMarkers } from "./markers.ts";
import { readSaid } from "./read-answer.ts";

const { notes, calls } = blockMarkers;
const noteOf = (json: string) => `${notes.begin}${json}${notes.end}`;
const callsOf = (json: string) => `${calls.begin}${json}${calls.end}`;

const goals = { type: "patch", patch: { set_goals: ["sail"] }, ignored: [], wrong: [] };
const listing = { type: "calls", calls: [{ id: "t1", tool: "fs.list_dir", args: { path: "." } }] };
const malformed = (why: string | RegExp) => ({
  type: "malformed",
  why: typeof why === "string" ? why : expect.stringMatching(why),
});

// proves LIVE-2.24, LIVE-3.4, LIVE-3.11
test("an answer is what is seen of it, its notes and its calls", () => {
  expect(readSaid(`I will look.\n\n${aNote}\n${aCall}\n`)).toEqual({
    visible: "I will look.",
    notes: goals,
    calls: listing,
    extra: 0,
  });
});

test("an answer without blocks is its text", () => {
  expect(readSaid(" Hello,\n\n\nworld \n")).toEqual({ visible: " Hello,\n\n\nworld \n", extra: 0 });
  expect(readSaid("")).toEqual({ visible: "", extra: 0 });
});

// proves LIVE-2.4
describe("notes", () => {
  const patchOf = (json: string) => readSaid(noteOf(json)).notes;

  // proves LIVE-2.5, LIVE-2.6, LIVE-2.7, LIVE-2.8, LIVE-2.9, LIVE-2.10, LIVE-2.11, LIVE-2.12
  test("every key of the source is read", () => {
    const patch = {
      set_goals: [],
      add_open_loops: ["a"],
      close_open_loops: ["b"],
      add_decisions: ["c"],
      add_constraints: ["d"],
      set_episode_summary: "",
      add_memory_tags: ["e"],
      actions: ["condense_now", "anything"],
    };
    expect(patchOf(`\n${JSON.stringify(patch, null, 2)}\n`)).toEqual({
      type: "patch",
      patch,
      ignored: [],
      wrong: [],
    });
    expect(patchOf("{}")).toEqual({ type: "patch", patch: {}, ignored: [], wrong: [] });
  });

  // proves LIVE-2.12, LIVE-2.17, LIVE-2.34
  test("a key with a wrong value changes nothing, and the others count", () => {
    expect(
      patchOf(
        '{"set_goals":["sail"],"actions":"condense_now","add_decisions":["a",1],"set_episode_summary":null}',
      ),
    ).toEqual({
      ...goals,
      wrong: [
        { key: "actions", why: "invalid actions: Invalid input: expected array, received string" },
        {
          key: "add_decisions",
          why: "invalid add_decisions: /1: Invalid input: expected string, received number",
        },
        {
          key: "set_episode_summary",
          why: "invalid set_episode_summary: Invalid input: expected string, received null",
        },
      ],
    });
  });

  // proves LIVE-2.33
  test("an unknown key is ignored and told, whatever it is called", () => {
    const json =
      '{"set_goals":["sail"],"__proto__":["x"],"constructor":["x"],"toString":1,"set_constraints":[],"Set_Goals":[]}';
    const read = patchOf(json);
    expect(read).toEqual({
      ...goals,
      ignored: ["__proto__", "constructor", "toString", "set_constraints", "Set_Goals"],
    });
    expect(Object.getPrototypeOf(read?.type === "patch" && read.patch)).toBe(Object.prototype);
  });

  test.each([
    ["nothing", "", /^invalid JSON at line 1, column 1: /],
    ["no JSON", "set_goals: sail", /^invalid JSON/],
    ["a key twice", '{"set_goals":["a"],"set_goals":["b"]}', /^invalid JSON/],
    ["something after it", "{} {}", /^invalid JSON/],
    ["a fence", '```json\n{"set_goals":[]}\n```', /^invalid JSON/],
    ["half a character", '{"set_goals":["\\ud800"]}', /^invalid JSON/],
    ["too many nests", `{"actions":${"[".repeat(10_000)}`, /^invalid JSON/],
    ["an array", "[]", "notes are a JSON object"],
    ["null", "null", "notes are a JSON object"],
    ["a text", '"{}"', "notes are a JSON object"],
  ])("%s is malformed", (_, json, why) => {
    expect(readSaid(`a\n${noteOf(json)}\nb`)).toEqual({ visible: "a\nb", notes: malformed(why), extra: 0 });
  });
});

// proves LIVE-3.4, LIVE-3.5, LIVE-3.6, LIVE-3.7, LIVE-3.9
describe("calls", () => {
  const call = (id: string) => `{"id":"${id}","tool":"fs.read_text","args":{}}`;

  test("are kept in their order, with their arguments as they came", () => {
    const json = `[${call("b")},{"id":"a","tool":"x","args":{"__proto__":{"n":1.5},"s":"\\n"}}]`;
    expect(readSaid(callsOf(json)).calls).toEqual({ type: "calls", calls: JSON.parse(json) });
    expect(readSaid(callsOf("[]")).calls).toEqual({ type: "calls", calls: [] });
  });

  test.each([
    ["one call that is not in an array", call("a"), /expected array, received object/],
    ["a call without an id", `[${call("a")},{"tool":"x","args":{}}]`, /\/1\/id: missing/],
    ["a call with an empty id", `[${call("")}]`, /\/0\/id/],
    ["a call with a number for an id", '[{"id":1,"tool":"x","args":{}}]', /\/0\/id/],
    ["a call without a tool", '[{"id":"a","args":{}}]', /\/0\/tool: missing/],
    ["a call without arguments", '[{"id":"a","tool":"x"}]', /\/0\/args/],
    ["a call with a list of arguments", '[{"id":"a","tool":"x","args":[]}]', /\/0\/args/],
    ["a call with arguments in a text", '[{"id":"a","tool":"x","args":"{}"}]', /\/0\/args/],
    ["a call with more to it", '[{"id":"a","tool":"x","args":{},"approved":true}]', /unknown key "approved"/],
    ["two calls with one id", `[${call("a")},${call("b")},${call("a")}]`, /two calls have the same id/],
    ["an argument twice", '[{"id":"a","tool":"x","args":{"p":1,"p":2}}]', /^invalid JSON/],
    ["half of them", `[${call("a")},{"id":`, /^invalid JSON/],
  ])("%s: none of them counts", (_, json, why) => {
    expect(readSaid(callsOf(json))).toEqual({ visible: "", calls: malformed(why), extra: 0 });
  });

  test("malformed calls leave the notes as they are, and the other way round", () => {
    expect(readSaid(aNote + callsOf("{"))).toMatchObject({ notes: goals, calls: { type: "malformed" } });
    expect(readSaid(noteOf("{") + aCall)).toMatchObject({ notes: { type: "malformed" }, calls: listing });
  });
});

// proves LIVE-2.30
describe("the first block of a kind counts", () => {
  test("and others are told, and not shown", () => {
    const said = `a ${aNote} b ${noteOf('{"set_goals":["sink"]}')} ${aCall} ${callsOf("{")} c`;
    expect(readSaid(said)).toEqual({ visible: "a b c", notes: goals, calls: listing, extra: 2 });
  });

  test("also if it is malformed, so that no one can mend it later", () => {
    expect(readSaid(callsOf("[") + aCall)).toEqual({
      visible: "",
      calls: malformed(/^invalid JSON/),
      extra: 1,
    });
  });

  test("also if another is begun and not ended", () => {
    expect(readSaid(`${aNote} a ${notes.begin} {"set_goals":[]}`)).toEqual({
      visible: "a",
      notes: goals,
      extra: 1,
    });
  });
});

describe("a block goes from its beginning to its own end", () => {
  test("one without an end is malformed, and nothing of it is shown, nor read", () => {
    expect(readSaid(`a\n${notes.begin}{"set_goals":[]}\n${aCall}\nb`)).toEqual({
      visible: "a",
      notes: malformed("<<<NOTES_JSON>>> without <<<END_NOTES_JSON>>>"),
      extra: 0,
    });
  });

  test("a block in a string of another is a string", () => {
    const quoted = noteOf(JSON.stringify({ set_goals: [aCall] }));
    expect(readSaid(quoted)).toMatchObject({
      visible: "",
      notes: { patch: { set_goals: [aCall] } },
      extra: 0,
    });
    expect(readSaid(quoted)).not.toHaveProperty("calls");
  });

  test("the first end ends it, also in a string", () => {
    const said = noteOf(JSON.stringify({ set_goals: [`never say ${notes.end}`] }));
    expect(readSaid(said)).toEqual({ visible: '"]}', notes: malformed(/^invalid JSON/), extra: 0 });
  });

  test("fences and tags within it are part of it", () => {
    const said = noteOf('{"set_goals":["```\\n<think>"]}');
    expect(readSaid(`${said} a`)).toMatchObject({
      visible: "a",
      notes: { patch: { set_goals: ["```\n<think>"] } },
    });
  });

  test("an end without a beginning is nothing, and not shown", () => {
    expect(readSaid(`a ${notes.end} b ${calls.end}`)).toEqual({ visible: "a b", extra: 0 });
  });

  test.each([
    "<<<notes_json>>>{}<<<end_notes_json>>>",
    "<< <NOTES_JSON>>>{}<<<END_NOTES_JSON>>",
    "＜＜＜NOTES_JSON＞＞＞{}",
    "<<<NOTES_JSON>>{}",
    "<<<NOTES\u200b_JSON>>>{}",
  ])("what is nearly a marker is text: %j", (said) => {
    expect(readSaid(said)).toEqual({ visible: said, extra: 0 });
  });

  test("halves around something taken out do not become a marker", () => {
    expect(readSaid(`<<<NOTES<think></think>_JSON>>>{}${notes.end}`)).toEqual({
      visible: "<<<NOTES _JSON>>>{}",
      extra: 0,
    });
  });
});

// proves LIVE-2.29
describe("B33: what is shown or thought is not said", () => {
  test.each([
    ["bare JSON", '[{"id":"t1","tool":"fs.list_dir","args":{"path":"."}}]'],
    ["a call in prose", 'I would call fs.list_dir with {"path":"."}.'],
    ["a fence", `\`\`\`json\n${aCall}\n\`\`\``],
    ["a fence of tildes", `~~~\n${aNote}\n${aCall}\n~~~\n`],
    ["a fence that is never closed", `Like so:\n\`\`\`\n${aCall}`],
    ["a span", `Write \`${aCall}\` to call.`],
    ["a span that begins with the marker's line", `Write \`${calls.begin}\n[]\n${calls.end}\` to call.`],
    ["a fence after text that stays open", `a\n\n\`\`\`\n${notes.begin}\n`],
  ])("%s is shown as it is", (_, said) => {
    expect(readSaid(said)).toEqual({ visible: said, extra: 0 });
  });

  test.each([
    ["think", `<think>Perhaps ${aCall}</think>Hello`],
    ["thinking", `<thinking>Perhaps ${aCall}\n\n${aNote}</thinking>\n\nHello`],
    ["reasoning", `<reasoning>\n${aCall}\n</reasoning>\nHello`],
    ["in other case", `<THINK>${aCall}</Think>Hello`],
    ["thought", `<thought>Perhaps ${aCall}</thought>Hello`],
    ["seed:think", `<seed:think>Perhaps ${aCall}</seed:think>Hello`],
    ["[THINK]", `[THINK]Perhaps ${aCall}[/THINK]Hello`],
    ["◁think▷", `◁think▷Perhaps ${aCall}◁/think▷Hello`],
    ["START_THINKING", `<|START_THINKING|>Perhaps ${aCall}<|END_THINKING|>Hello`],
    ["begin_of_thought", `<|begin_of_thought|>Perhaps ${aCall}<|end_of_thought|>Hello`],
    [
      "a channel of its own, up to the final one",
      `<|channel|>analysis<|message|>Perhaps ${aCall}<|end|><|start|>assistant<|channel|>final<|message|>Hello`,
    ],
    ["with another tag in it", `<think><thinking></thinking>${aCall}</think>Hello`],
    ["with a fence in it", `<think>\n\`\`\`\n${aCall}\n</think>\nHello`],
    ["twice", `<think>${aCall}</think>\n<reasoning>${aNote}</reasoning>\nHello`],
    ["never closed", `Hello\n<think>${aCall}`],
    ["closed by another tag", `Hello <think></thinking>${aCall}`],
  ])("reasoning is neither shown nor read: %s", (_, said) => {
    expect(readSaid(said)).toEqual({ visible: "Hello", extra: 0 });
  });

  test("what is said after it is", () => {
    const shown = `\`\`\`\n${aCall}\n\`\`\``;
    const said = `<think>${noteOf('{"set_goals":["sink"]}')}</think>\n${shown}\n${aNote}\n${aCall}`;
    expect(readSaid(said)).toEqual({ visible: shown, notes: goals, calls: listing, extra: 0 });
  });

  test("a tag in code is text", () => {
    const said = `Use \`<think>\` so:\n\`\`\`\n</think>\n<think>\n\`\`\``;
    expect(readSaid(`${said}\n${aCall}`)).toEqual({ visible: said, calls: listing, extra: 0 });
  });

  test("where reasoning ends that had no beginning, the blocks before it were reasoning", () => {
    const said = `Perhaps ${callsOf("[]")} ${noteOf("{}")}</think>\nHello ${aCall}`;
    expect(readSaid(said)).toEqual({ visible: "Perhaps\nHello", calls: listing, extra: 2 });
  });
});

// proves LIVE-2.31
describe("limits", () => {
  const noteOfBytes = (bytes: number, letter = "a") => {
    const empty = '{"set_goals":[""]}';
    return empty.replace('""', `"${letter.repeat((bytes - empty.length) / Buffer.byteLength(letter))}"`);
  };

  test.each(["a", "é"])("notes are read to their limit in bytes, and not past it: %s", (letter) => {
    const tooLarge = malformed(/larger than 65536 bytes/);
    expect(readSaid(noteOf(noteOfBytes(65_536, letter))).notes).toMatchObject({ type: "patch" });
    expect(readSaid(noteOf(`${noteOfBytes(65_536, letter)} `))).toEqual({
      visible: "",
      notes: tooLarge,
      extra: 0,
    });
    expect(readSaid(noteOf(noteOfBytes(1_000_000, letter)))).toEqual({
      visible: "",
      notes: malformed("the block is larger than 65536 bytes"),
      extra: 0,
    });
  });

  test("calls have limits of their own", () => {
    const many = (count: number) =>
      callsOf(
        JSON.stringify(
          Array.from({ length: count }, (_, index) => ({ id: `t${index}`, tool: "x", args: {} })),
        ),
      );
    expect(readSaid(many(64)).calls).toMatchObject({ type: "calls" });
    expect(readSaid(many(65)).calls).toEqual(malformed("65 tool calls in one answer; at most 64"));
    expect(readSaid(callsOf(`[]${" ".repeat(262_142)}`)).calls).toEqual({ type: "calls", calls: [] });
    expect(readSaid(callsOf(`[]${" ".repeat(262_143)}`)).calls).toEqual(
      malformed(/larger than 262144 bytes/),
    );
  });

  test("limits can be set", () => {
    const limits = { notesBytes: 10, toolCallsBytes: 20, callsPerAnswer: 0 };
    expect(readSaid(aNote + aCall, limits)).toMatchObject({
      notes: malformed(/10 bytes/),
      calls: malformed(/20 bytes/),
    });
    expect(readSaid(aCall, { callsPerAnswer: 0 }).calls).toEqual(malformed(/at most 0/));
  });
});

test("any text is read without a fault, and to the same end", () => {
  fc.assert(
    fc.property(fc.oneof(speech, fc.string({ unit: "binary" })), (text) => {
      const said = readSaid(text);
      expect(readSaid(text)).toEqual(said);
      expect(said.visible.length).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 2000 },
  );
});
