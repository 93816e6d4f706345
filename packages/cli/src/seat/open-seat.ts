import { type AgentPolicy, JournalCorruptError } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import {
  type GivenPrincipal,
  openReplay,
  readTrace,
  type RecoveryReport,
  Seat,
  type SeatOptions,
  type Signer,
  type Tool,
  type Trace,
} from "@spfunctions/kernel";
import { explainStranger } from "../packs/load-packs.ts";
import type { CliIo } from "../io/cli-io.ts";
import { dataFolderOf, requireApart } from "./data-folder.ts";
import { openStore, type Patience } from "./open-store.ts";
import { toolsOfTraces } from "./tools-of-traces.ts";

/** A seat that is ready for calls. */
export type OpenSeat = {
  readonly seat: Seat;
  readonly report: RecoveryReport;
  /** Who signs here, where anybody does. */
  readonly signer?: Signer;
  /** Gives up what it stands on; the seat itself is closed before. */
  readonly leave: () => Promise<void>;
};

/** A trace, and the file it is from. */
export type TraceText = { readonly file: string; readonly text: string };

export type SeatLaw = {
  readonly tools: readonly Tool[];
  readonly policy: AgentPolicy;
  readonly principal: GivenPrincipal;
};

/** On the journal of a data folder, with the installation's secret. What a crash has left there is settled first. */
export async function openLiveSeat(
  law: SeatLaw,
  {
    data,
    io,
    patience,
  }: { readonly data: string | undefined; readonly io: CliIo; readonly patience: Patience },
): Promise<OpenSeat> {
  const folder = dataFolderOf(data, io);
  const { installation, path } = loadInstallation({ env: io.env });
  requireApart(folder, path);
  const store = await openStore(folder, patience);
  try {
    const seat = seatOf(law, { store, installation });
    const report = await seat.open();
    return { seat, report, signer: installation.signer, leave: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** R1: on recorded traces, in memory. No data folder is touched and no secret needed. */
export async function openReplaySeat(law: SeatLaw, files: readonly TraceText[]): Promise<OpenSeat> {
  const traces = await Promise.all(files.map(readWholeTrace));
  const replay = await openReplay(files.map(({ text }) => text));
  const tools = law.tools.length > 0 ? law.tools : toolsOfTraces(traces);
  const seat = seatOf({ ...law, tools }, { replay });
  return { seat, report: await seat.open(), leave: async () => undefined };
}

/** By its file, where several are given. */
async function readWholeTrace({ file, text }: TraceText): Promise<Trace> {
  const trace = await readTrace(text);
  if (trace.verification.status !== "broken") return trace;
  const { seq, reason, message } = trace.verification.broken;
  throw new JournalCorruptError(`${file} cannot be trusted: record ${seq} ${message}`, {
    details: { seq, reason },
  });
}

function seatOf(
  { tools, policy, principal }: SeatLaw,
  on: Pick<SeatOptions, "store" | "installation" | "replay">,
): Seat {
  try {
    const levels = [{ level: "agent", policy }] as const;
    // As govern() does: what a person runs here is what an agent would be allowed.
    return new Seat({ packs: [tools], levels, principal, origin: "direct", surface: "agent", ...on });
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
