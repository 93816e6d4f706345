// Agent soak (B31): one session of very many turns. What it keeps in memory, what a turn takes and how large a checkpoint is stay as they are, and
// in the end every revision verifies.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openSqliteSearchIndex, openSqliteStore } from "@spfunctions/host/store";
import { Spectator } from "@spfunctions/agent/spectator";
import { defineTool, type ModelAdapter, openInstallation } from "@spfunctions/kernel";

export type SoakOptions = {
  readonly turns: number;
  /** After how many turns it is looked at. */
  readonly every: number;
  readonly log?: (line: string) => void;
};

type SoakLook = {
  readonly turns: number;
  /** Of a turn since the look before, in milliseconds: the one in the middle. */
  readonly medianMs: number;
  readonly heapMiB: number;
  readonly checkpointBytes: number;
};

export type SoakReport = {
  readonly turns: number;
  readonly revisions: number;
  readonly looks: readonly SoakLook[];
  /** The last third of the turns against the first that were warm. */
  readonly latency: number;
  readonly heap: number;
  readonly largestCheckpoint: number;
  readonly broken: readonly string[];
};

const constraints = ["spend nothing", "be brief"];

export async function agentSoak({ turns, every, log = () => {} }: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-soak-"));
  const store = await openSqliteStore({ folder: join(folder, "data") });
  const search = await openSqliteSearchIndex({ folder: join(folder, "data") });
  const agent = new Spectator({
    model,
    packs: [[look]],
    principal: { accountId: "soak", keyId: "starter", scopes: ["read", "write"], kind: "local" },
    store,
    search,
    installation: openInstallation(new Uint8Array(32).fill(3)),
    constraints,
  });
  const broken: string[] = [];
  const looks: SoakLook[] = [];
  try {
    const session = await agent.open("soak");
    let times: number[] = [];
    /* oxlint-disable no-await-in-loop -- one turn after the other */
    for (let turn = 1; turn <= turns; turn++) {
      const begun = performance.now();
      const { status } = await session.turn(textOf(turn));
      times.push(performance.now() - begun);
      if (status !== "completed") broken.push(`turn ${turn} came to ${status}`);
      if (turn % every !== 0) continue;
      const checkpoint = await session.checkpoint();
      const seen = {
        turns: turn,
        medianMs: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0,
        heapMiB: heapMiB(),
        checkpointBytes: Buffer.byteLength(JSON.stringify(checkpoint)),
      };
      looks.push(seen);
      log(
        `${turn} turns: ${seen.medianMs.toFixed(1)} ms a turn, ${seen.heapMiB.toFixed(1)} MiB, ${seen.checkpointBytes} bytes`,
      );
      if (checkpoint.state.constraints.join() !== constraints.join())
        broken.push(`after turn ${turn} the constraints are ${checkpoint.state.constraints.join()}`);
      times = [];
    }
    /* oxlint-enable no-await-in-loop */
    const { isWhole, revisions, problems } = await session.verify();
    if (!isWhole) broken.push(`the revisions are not whole: ${JSON.stringify(problems)}`);
    const third = Math.max(1, Math.floor(looks.length / 3));
    // The first look is at code that is not compiled yet.
    const [early, late] = [looks.slice(1, 1 + third), looks.slice(-third)];
    const ratio = (of: (one: SoakLook) => number) => mean(late.map(of)) / mean(early.map(of));
    return {
      turns,
      revisions,
      looks,
      latency: ratio(({ medianMs }) => medianMs),
      heap: ratio(({ heapMiB: heap }) => heap),
      largestCheckpoint: Math.max(...looks.map(({ checkpointBytes }) => checkpointBytes)),
      broken,
    };
  } finally {
    await agent.close();
    await search.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const words = "rain harbour ledger market signal garden winter copper letter bridge".split(" ");

/** Different in every turn, and the same in every run. */
function textOf(turn: number): string {
  const some = Array.from({ length: 12 }, (_, at) => words[(turn * 7 + at * at) % words.length]);
  return `turn ${turn}: ${some.join(" ")} ${turn.toString(36)}`;
}

const look = defineTool({
  name: "notes.look",
  description: "Looks something up.",
  input: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
  output: {},
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
  run: async (input) => ({ found: `${JSON.stringify(input)} `.repeat(20) }),
});

const model: ModelAdapter = {
  name: "diarist",
  offline: true,
  complete: async ({ messages }) => {
    const at = messages.findLastIndex(({ role, text }) => role === "user" && text.startsWith("turn "));
    const turn = Number(/^turn (\d+)/.exec(messages[at]?.text ?? "")?.[1]);
    const isSecond = messages.slice(at).some(({ role }) => role === "assistant");
    const text = isSecond || turn % 3 !== 0 ? answer(turn) : `I look.\n${call(turn)}`;
    return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 10, outputTokens: 10 } };
  },
};

function call(turn: number): string {
  const calls = [{ id: "a", tool: "notes.look", args: { text: `thing ${turn}` } }];
  return `<<<TOOL_CALLS_JSON>>>${JSON.stringify(calls)}<<<END_TOOL_CALLS_JSON>>>`;
}

function answer(turn: number): string {
  const notes = {
    set_goals: [`goal ${turn}`],
    add_decisions: [`decision ${turn}`],
    add_open_loops: [`loop ${turn}`],
    close_open_loops: [`loop ${turn - 3}`],
    add_memory_tags: [`tag-${turn % 100}`],
  };
  return `Here is what I think of ${turn}. ${"Words. ".repeat(20)}\n<<<NOTES_JSON>>>${JSON.stringify(notes)}<<<END_NOTES_JSON>>>`;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

/** After everything that nobody holds was let go. */
function heapMiB(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
