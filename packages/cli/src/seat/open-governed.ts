import { govern, type Governed, type GovernOptions, openReplay } from "@spfunctions/agent";
import type { AgentPolicy } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import {
  type GivenPrincipal,
  type HostRule,
  type NetworkOptions,
  type Pack,
  type RecoveryReport,
  type Signer,
  type Tool,
  type TraceStore,
} from "@spfunctions/kernel";
import type { Runner } from "../call/runner.ts";
import type { CliIo } from "../io/cli-io.ts";
import type { LateStore } from "../packs/late-store.ts";
import { explainStranger } from "../packs/load-packs.ts";
import { requireWholeTraces, type TraceText } from "../trace/read-trace-file.ts";
import { requireApart } from "./data-folder.ts";
import { openStore, type Patience } from "./open-store.ts";
import type { StorePlace } from "./store-place.ts";

/** Tools under law, ready for calls. */
export type OpenGoverned = {
  readonly governed: Governed<readonly Pack[]>;
  readonly report: RecoveryReport;
  /** Who signs here, where anybody does. */
  readonly signer?: Signer;
  /** Gives up what it stands on, once it is closed. */
  readonly leave: () => Promise<void>;
};

export type CallLaw = {
  readonly tools: readonly Tool[];
  /** Those that the packs export. */
  readonly rules?: readonly HostRule[];
  readonly policy: AgentPolicy;
  readonly principal: GivenPrincipal;
  readonly network?: NetworkOptions;
  /** What a yes can be for as a whole. */
  readonly sessionId?: string;
};

export type LiveTerms = {
  readonly place: StorePlace;
  readonly io: CliIo;
  readonly patience: Patience;
  /** Told of the store. */
  readonly late?: LateStore;
  readonly trace?: TraceStore | undefined;
};

/** On a journal, with the installation's secret. What a crash has left there is settled first. */
export async function openLive(
  law: CallLaw,
  { place, io, patience, trace, late }: LiveTerms,
): Promise<OpenGoverned> {
  const { installation, path } = loadInstallation({ env: io.env });
  if (place.type === "folder") requireApart(place.folder, path);
  const store = await openStore(place, patience);
  late?.opened(store, installation);
  try {
    const governed = governedBy(law, { store, installation, ...(trace && { trace }) });
    const report = await governed.recover();
    return { governed, report, signer: installation.signer, leave: () => store.close() };
  } catch (error) {
    // What went wrong first says more than what it brought with it.
    await store.close().catch(() => undefined);
    throw error;
  }
}

/** R1: on recorded traces, in memory. No data folder is touched and no secret needed. */
export async function openReplayed(
  law: CallLaw,
  files: readonly TraceText[],
  trace?: TraceStore,
): Promise<OpenGoverned> {
  await requireWholeTraces(files);
  const replay = await openReplay(files.map(({ text }) => text));
  const governed = governedBy(law, { replay, ...(trace && { trace }) });
  return { governed, report: await governed.recover(), leave: async () => undefined };
}

function governedBy(
  { tools, ...law }: CallLaw,
  on: Pick<GovernOptions<readonly Pack[]>, "store" | "installation" | "replay" | "trace">,
): Governed<readonly Pack[]> {
  try {
    // Of what is replayed without a pack, the traces know the tools.
    const isAlone = on.replay !== undefined && tools.length === 0;
    return govern<readonly Pack[]>({ ...(isAlone ? {} : { packs: [tools] }), ...law, ...on });
  } catch (error) {
    throw explainStranger(error, tools);
  }
}

/** What a call is made with. Where it cannot be had, nothing is left open. */
export async function runnerOn({ governed, report, signer, leave }: OpenGoverned): Promise<Runner> {
  const unknown = await governed.unknown().catch(async (error: unknown) => {
    await governed.close().catch(() => undefined);
    await leave().catch(() => undefined);
    throw error;
  });
  const recovery = { settled: report.settled, unknown };
  return {
    manifest: governed.manifest,
    recovery,
    stream: (tool, input, options) => governed.stream(tool, input, options),
    close: () => governed.close(),
    leave,
    ...(signer && { signer }),
  };
}
