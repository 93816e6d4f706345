// A child that was let go has nobody to ask: what it asks then is a wrong answer, and it is told so. What it has asked before was none.
import { describe, expect, test } from "vitest";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import { foldsOf, put, type RunDesk, type Script, storedRun } from "../../test-data/run-desk.ts";
import { heldBack, untilKind } from "../../test-data/run-levers.ts";

const output = {
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
  additionalProperties: false,
} as const;
const asker = childSpec("asker", { mode: "background", mayAsk: true, tools: "inherit_allowlist", output });
const question = '{"ask":"which?"}';
const wrong = /^the answer is not what the package says it must be: .*Answer once more, with that alone\.$/;

/** What its model was told last, after its task. */
function told({ model }: RunDesk): [string, string][] {
  const last = model.asked.findLast(({ messages }) => messages[0]?.role === "system")?.messages ?? [];
  return last.slice(2).map(({ role, text }) => [role, text]);
}

function family(asking: Script) {
  const ending = heldBack<void>();
  const parts: Parts = {
    parent: async (_input, step) => (step === 1 ? [start("asker")] : (await ending.held(), "done")),
    asker: asking,
  };
  return { parts, end: ending.let };
}

describe("a child that was let go", () => {
  test("and asks, is told that this is no answer, and answers", async () => {
    const thinking = heldBack<void>();
    const { parts, end } = family(async (_input, step) =>
      step === 1 ? (await thinking.held(), question) : '{"n":1}',
    );
    const desk = openFamily(parts, [asker]);
    const { runId } = await desk.start();
    const child = await untilChild(desk, runId);
    await desk.runs.detach(child, "the night desk looks after it");
    thinking.let();
    const alone = await (await desk.runs.get(child)).wait();
    expect(alone).toMatchObject({ status: "completed", output: { n: 1 } });
    expect(told(desk)).toStrictEqual([
      ["assistant", question],
      ["user", expect.stringMatching(wrong)],
    ]);
    end();
    await desk.runs.close();
  });

  test("when it had just asked, is told so, too", async () => {
    const thinking = heldBack<void>();
    const { parts, end } = family(async (_input, step) =>
      step === 1 ? (await thinking.held(), question) : '{"n":1}',
    );
    const desk = openFamily(parts, [asker]);
    const { runId } = await desk.start();
    const child = await untilChild(desk, runId);
    const looking = heldBack<void>();
    desk.store.beforeRead = async ({ stream }) => (stream === child ? await looking.held() : undefined);
    thinking.let();
    await untilKind(desk, child, "run.asked");
    await desk.runs.detach(child, "the night desk looks after it");
    looking.let();
    expect((await (await desk.runs.get(child)).wait()).output).toStrictEqual({ n: 1 });
    expect(told(desk)).toStrictEqual([
      ["assistant", question],
      ["user", expect.stringMatching(wrong)],
    ]);
    end();
    await desk.runs.close();
  });

  test("after its question was answered, is told nothing wrong of that, whoever goes on with it", async () => {
    const tool = heldBack<unknown>();
    const { parts, end } = family((_input, step) =>
      step === 1 ? question : step === 2 ? [put("slow")] : '{"n":1}',
    );
    const desk = openFamily(parts, [asker], { deed: () => tool.held() });
    const { runId } = await desk.start();
    const child = await untilChild(desk, runId);
    await untilKind(desk, runId, "subagent.message");
    await desk.runs.tell(child, "this one");
    await untilKind(desk, child, "call.intended");
    await desk.runs.detach(child, "the night desk looks after it");
    tool.let({});
    await (await desk.runs.get(child)).wait();
    expect(told(desk).slice(0, 2)).toStrictEqual([
      ["assistant", question],
      ["user", "this one"],
    ]);
    // By its records alone.
    const run = foldsOf(await storedRun(desk.store.inner, child)).at(-1)?.run;
    expect(run?.steps.map(({ isAlone = false }) => isAlone)).toStrictEqual([false, false, true]);
    end();
    await desk.runs.close();
  });
});
