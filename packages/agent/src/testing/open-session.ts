import { openReplay, type Pack } from "@spfunctions/kernel";
import { govern, type Governed } from "../govern.ts";
import { SimpleFunctionsAgent } from "../platform/simple-functions-agent.ts";
import type { ToolTree } from "../typed-tools.ts";
import type { Fixture } from "./fixture.ts";
import { readFixture, shownFile } from "./fixture-file.ts";
import { fixtureMode, missingFixture } from "./fixture-mode.ts";
import { type AgentUse, checkFixtureUse, type GovernedUse } from "./fixture-options.ts";
import { type Calling, FixtureSession } from "./fixture-session.ts";
import type { FixtureWay } from "./fixture-way.ts";
import { openPlayback } from "./open-playback.ts";
import { openRecording } from "./open-recording.ts";
import { wrappedTools } from "./wrapped-tools.ts";

/** Own functions under law, with a fixture behind them. */
export type GovernedFixture<Packs extends readonly Pack[]> = Governed<Packs> & { readonly fixture: Fixture };

/** An agent over the platform's tools, with a fixture behind it. */
export type AgentFixture = SimpleFunctionsAgent & { readonly fixture: Fixture };

type AnyUse = GovernedUse<readonly Pack[]> | AgentUse;
type Caller = GovernedFixture<readonly Pack[]> | AgentFixture;
export type Opened = { readonly caller: Caller; readonly session: FixtureSession };

/** What closing does, and what happens to something that is disposed of and was not closed. */
export type Ends = (session: FixtureSession) => {
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function openSession(file: string, use: AnyUse, ends: Ends): Promise<Opened> {
  checkFixtureUse(use);
  const { record, unused, ...options } = use;
  const way = await openWay(file, record, unused === "fail");
  try {
    return await ("packs" in options && options.packs !== undefined
      ? openGoverned(file, way, options, ends)
      : openAgent(file, way, options, ends));
  } catch (error) {
    way.release();
    throw error;
  }
}

async function openWay(file: string, record: boolean | undefined, requiresAll: boolean): Promise<FixtureWay> {
  const wish = { record, environment: process.env };
  const isAnew = fixtureMode(true, wish) === "record";
  // What is recorded anew need not be readable.
  const found = isAnew ? undefined : await readFixture(file);
  if (found !== undefined) return openPlayback(file, found, requiresAll);
  if (fixtureMode(false, wish) === undefined) throw missingFixture(shownFile(file), wish);
  return await openRecording(file);
}

async function openGoverned(
  file: string,
  way: FixtureWay,
  options: GovernedUse<readonly Pack[]>,
  ends: Ends,
): Promise<Opened> {
  const { trace, replays } = way;
  const replay = replays && (await openReplay(replays));
  const governed = govern({ ...options, trace, ...(replay && { replay }) });
  const now = { describe: (tool: string) => governed.describe(tool), areRecorded: false };
  const session = new FixtureSession(file, way, governed, now);
  const call: Calling["call"] = (...asked) => session.call(...asked);
  const stream: Calling["stream"] = (...asked) => session.stream(...asked);
  const caller = Object.freeze({
    ...governed,
    call: call as Governed<readonly Pack[]>["call"],
    stream: stream as Governed<readonly Pack[]>["stream"],
    tools: wrappedTools(governed.tools, call) as ToolTree<readonly Pack[]>,
    ...ends(session),
    fixture: session.fixture,
  });
  return { caller, session };
}

async function openAgent(file: string, way: FixtureWay, use: AgentUse, ends: Ends): Promise<Opened> {
  const { client: given, packs: _, ...options } = use;
  const { trace, replays } = way;
  // In a replay there is nothing that anybody could be asked with.
  const client = replays === undefined ? await (typeof given === "function" ? given() : given) : undefined;
  const agent = new SimpleFunctionsAgent({
    ...options,
    trace,
    ...(client && { client }),
    ...(replays && { mode: "replayOnly", replay: replays }),
  });
  const plain: Calling = {
    call: agent.call.bind(agent),
    stream: agent.stream.bind(agent),
    close: agent.close.bind(agent),
  };
  const now = {
    describe: (tool: string) => agent.describe(tool),
    areRecorded: use.manifest === undefined,
  };
  const session = new FixtureSession(file, way, plain, now);
  // The agent's `tools` call its `call`.
  const caller = Object.assign(agent, {
    call: (...asked: Parameters<Calling["call"]>) => session.call(...asked),
    stream: (...asked: Parameters<Calling["stream"]>) => session.stream(...asked),
    ...ends(session),
    fixture: session.fixture,
  });
  return { caller: caller as AgentFixture, session };
}
