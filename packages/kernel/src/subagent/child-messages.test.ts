// Parent and child speak through the kernel alone: a child asks by its own last word, and nobody but its parent can answer.
import { describe, expect, test } from "vitest";
import { FaultyStore } from "../../test-data/call-store.ts";
import {
  childSpec,
  kindsOfChildren,
  openFamily,
  type Parts,
  start,
  untilChild,
} from "../../test-data/family.ts";
import { type RunDesk, read } from "../../test-data/run-desk.ts";
import { heldBack } from "../../test-data/run-levers.ts";

const asker = childSpec("asker", { mayAsk: true });
const question = '{"ask":"which year?"}';
const runIn = (messages: readonly { readonly text: string }[]) =>
  /run_[0-9a-f]{32}/.exec(JSON.stringify(messages))?.[0];
const reply = (run: string | undefined, text: string) => ({
  name: "subagent.reply_to_clarification",
  args: { run: run ?? "", text },
});
const parts: Parts = {
  parent: ({ messages }, step) => {
    if (step === 1) return [start("asker", "how many?")];
    return step === 2 ? [reply(runIn(messages), "2026")] : `it says ${messages.at(-1)?.text}`;
  },
  asker: ({ messages }, step) => (step === 1 ? question : `in ${messages.at(-1)?.text}: 7`),
};
const childMessages = (desk: RunDesk) =>
  desk.model.asked.filter(({ messages }) => messages[0]?.role === "system").map(({ messages }) => messages);

describe("a child asks", () => {
  // proves CHILD-16.5
  test("its parent's model is told the question, answers it, and gets what came of that", async () => {
    const desk = openFamily(parts, [asker]);
    const handle = await desk.start();
    const result = await handle.wait();
    const [child] = result.children;
    const told = desk.model.asked.filter(({ messages }) => messages[0]?.role === "user");
    expect(told[1]?.messages.at(-1)?.text).toBe(
      JSON.stringify({ question: "which year?", run: child?.runId, status: "asks" }),
    );
    expect(result.output).toBe(
      `it says ${JSON.stringify({ output: "in 2026: 7", run: child?.runId, status: "completed" })}`,
    );
    expect(
      childMessages(desk)
        .at(-1)
        ?.map(({ role, text }) => [role, text])
        .slice(1),
    ).toStrictEqual([
      ["user", "how many?"],
      ["assistant", question],
      ["user", "2026"],
    ]);
    expect(await kindsOfChildren(desk, handle.runId)).toStrictEqual([
      "subagent.started",
      "subagent.message",
      "subagent.message",
      "subagent.ended",
    ]);
    const records = await desk.records(child?.runId ?? "");
    const [asked, answered] = records.filter(({ kind }) => kind === "run.asked" || kind === "run.told");
    expect(answered).toMatchObject({ replyTo: (asked as { messageId: string }).messageId });
    await desk.runs.close();
  });

  test("over a restart, while it waits", async () => {
    const gate = heldBack<void>();
    const slow: Parts = {
      ...parts,
      parent: async (input, step) => {
        if (step === 2) await gate.held();
        return (parts.parent as (one: typeof input, two: number) => string)(input, step);
      },
    };
    const first = openFamily(slow, [asker]);
    const { runId } = await first.start();
    await untilKinds(first, runId, "subagent.message");
    await first.store.die();
    const { clock, deck } = first;
    const second = openFamily(parts, [asker], {
      clock,
      deck,
      store: new FaultyStore(first.store.inner),
      life: 2,
    });
    const [handle] = await second.runs.open();
    expect((await handle?.wait())?.output).toContain("in 2026: 7");
    await second.runs.close();
  });

  test("who does not answer is not held up: the child ends with its parent", async () => {
    const desk = openFamily({ ...parts, parent: [[start("asker")], "never mind"] }, [asker]);
    const result = await (await desk.start()).wait();
    expect([result.status, result.output, result.children[0]?.status]).toStrictEqual([
      "completed",
      "never mind",
      "cancelled",
    ]);
    await desk.runs.close();
  });

  test("the host may answer in its parent's place", async () => {
    const gate = heldBack<void>();
    const desk = openFamily(
      {
        ...parts,
        parent: async ({ messages }, step) => {
          if (step === 1) return [start("asker", "how many?")];
          await gate.held();
          return step === 2 ? [{ name: "subagent.monitor" }] : `seen ${messages.at(-1)?.text}`;
        },
      },
      [asker, childSpec("other", { mode: "background" })],
    );
    const handle = await desk.start();
    const child = await untilChild(desk, handle.runId);
    await untilKinds(desk, handle.runId, "subagent.message");
    await desk.runs.tell(child, "1999");
    await (await desk.runs.get(child)).wait();
    gate.let();
    const { status, children } = await handle.wait();
    expect([status, children[0]?.status]).toStrictEqual(["completed", "completed"]);
    expect(childMessages(desk).at(-1)?.at(-1)?.text).toBe("1999");
    await desk.runs.close();
  });
});

describe("is no question", () => {
  test.each([
    ["where it may not ask", { mayAsk: false }, question],
    ["with more than the question", {}, '{"ask":"which?","more":1}'],
    ["without words", {}, '{"ask":" "}'],
    ["in the midst of other words", {}, `I wonder: ${question}`],
    ["in a fence", {}, `\`\`\`json\n${question}\n\`\`\``],
    ["of another kind", {}, '{"ask":["which?"]}'],
    ["twice over", {}, '{"ask":"a","ask":"b"}'],
  ])("%s", async (_what, spec, said) => {
    const desk = openFamily({ parent: [[start("asker")], "done"], asker: [said] }, [{ ...asker, ...spec }]);
    const { children } = await (await desk.start()).wait();
    expect(children[0]?.status).toBe("completed");
    expect(await desk.kinds(children[0]?.runId ?? "")).not.toContain("run.asked");
    await desk.runs.close();
  });
});

describe("in the background a child", () => {
  const digger = childSpec("digger", { mode: "background", mayAsk: true });
  const send = (run: string | undefined, text: string) => ({
    name: "subagent.send_message",
    args: { run: run ?? "", text },
  });

  // proves CHILD-16.4
  test("is told something while it works, which it sees in its next turn, once", async () => {
    const tool = heldBack<unknown>();
    const parent: Parts["parent"] = ({ messages }, step) => {
      if (step === 1) return [start("digger")];
      return step === 2 ? [send(runIn(messages), "hurry")] : "done";
    };
    const desk = openFamily(
      { parent, digger: ({ messages }, step) => (step === 1 ? [read] : `heard ${messages.at(-1)?.text}`) },
      [digger],
      { deed: () => tool.held() },
    );
    const handle = await desk.start();
    await untilKinds(desk, handle.runId, "subagent.message");
    tool.let({});
    const result = await handle.wait();
    const child = await desk.runs.get(result.children[0]?.runId ?? "");
    expect((await child.result()).output).toBe("heard hurry");
    await desk.runs.close();
  });

  // proves CHILD-16.6
  test("asks, and its parent is woken to answer", async () => {
    const parent: Parts["parent"] = ({ messages }, step) => {
      if (step === 1) return [start("digger")];
      const last = messages.at(-1)?.text ?? "";
      if (last.includes("asks, as data")) return [reply(runIn(messages), "north")];
      return last.includes("has completed") ? "found" : "I wait";
    };
    const desk = openFamily(
      {
        parent,
        digger: ({ messages }, step) =>
          step === 1 ? '{"ask":"where?"}' : `gold in the ${messages.at(-1)?.text}`,
      },
      [digger],
    );
    const handle = await desk.start();
    const result = await handle.wait();
    expect(result.output).toBe("found");
    expect(desk.model.asked.at(-1)?.messages.at(-1)?.text).toBe(
      `The subagent subagent.digger (${result.children[0]?.runId}) has completed. Its answer, as data:\n"gold in the north"`,
    );
    await desk.runs.close();
  });
});

describe("nobody is told", () => {
  const say = (name: string, run: string) => [{ name, args: { run, text: "obey" } }] as const;

  test.each([
    ["a run that there is not", "run_0123456789abcdef"],
    ["what is no run at all", "../../etc"],
  ])("%s", async (_what, run) => {
    const desk = openFamily({ parent: [say("subagent.reply_to_clarification", run), "done"] }, [asker]);
    const handle = await desk.start();
    await handle.wait();
    expect(desk.model.asked.at(-1)?.messages.at(-1)?.text).toContain('"code":"not_found"');
    await desk.runs.close();
  });

  // proves CHILD-16.7
  test("another run's child, by a run whose child it is not", async () => {
    const gate = heldBack<void>();
    const held: Parts = { ...parts, parent: async () => (await gate.held(), "done") };
    const desk = openFamily({ ...held, parent: parts.parent }, [asker]);
    const first = await (await desk.start()).wait();
    const child = first.children[0]?.runId ?? "";
    const other = openFamily({ parent: [say("subagent.reply_to_clarification", child), "done"] }, [asker], {
      store: desk.store,
      clock: desk.clock,
      life: 3,
    });
    await (await other.start()).wait();
    expect(other.model.asked.at(-1)?.messages.at(-1)?.text).toContain('"code":"not_found"');
    await other.runs.close();
    await desk.runs.close();
  });

  test("what has ended", async () => {
    const desk = openFamily(
      {
        parent: ({ messages }, step) => {
          if (step === 1) return [start("asker")];
          return step === 2 ? [reply(runIn(messages), "too late")] : "done";
        },
        asker: ["all done"],
      },
      [asker],
    );
    const handle = await desk.start();
    await handle.wait();
    expect(desk.model.asked.at(-1)?.messages.at(-1)?.text).toContain('"code":"invalid_transition"');
    await desk.runs.close();
  });
});

async function untilKinds(desk: RunDesk, runId: string, kind: string): Promise<void> {
  while (!(await desk.kinds(runId)).includes(kind)) await new Promise((resolve) => setImmediate(resolve));
}
