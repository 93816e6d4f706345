import { isSimpleFunctionsError, type Receipt, type TraceEntry } from "@spfunctions/contracts";

/** The calls of a fixture, and which of them were asked for. */
export class RecordedCalls {
  readonly #entries: readonly TraceEntry[];
  readonly #ids: ReadonlySet<string>;
  readonly #used = new Set<TraceEntry>();

  constructor(entries: readonly TraceEntry[]) {
    this.#entries = entries;
    this.#ids = new Set(entries.map(({ callId }) => callId));
  }

  of(tool: string): readonly TraceEntry[] {
    return this.#entries.filter((entry) => entry.tool === tool);
  }

  /** How often each tool was called. */
  tools(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { tool } of this.#entries) counts.set(tool, (counts.get(tool) ?? 0) + 1);
    return counts;
  }

  isUsed(entry: TraceEntry): boolean {
    return this.#used.has(entry);
  }

  unused(): readonly TraceEntry[] {
    return this.#entries.filter((entry) => !this.#used.has(entry));
  }

  /** Notes an answer. A call that was answered by another's record has the ids of that one. */
  answered({ tool, callId, inputHash }: Pick<Receipt, "tool" | "callId" | "inputHash">): void {
    const left = this.unused().filter((entry) => entry.tool === tool);
    this.#use(
      left.find((entry) => entry.callId === callId) ?? left.find((entry) => entry.inputHash === inputHash),
    );
  }

  /** Notes a failure, and says whether it is the recorded one. What the judge refuses it refuses again, under an id of its own. */
  failed(error: unknown): boolean {
    const receipt = receiptOf(error);
    if (receipt === undefined || !isSimpleFunctionsError(error)) return false;
    if (this.#ids.has(receipt.callId)) {
      this.answered(receipt);
      return true;
    }
    const refusal = this.unused().find(
      (entry) =>
        entry.tool === receipt.tool &&
        entry.status === "denied_before_execution" &&
        entry.error?.code === error.code,
    );
    this.#use(refusal);
    return refusal !== undefined;
  }

  #use(entry: TraceEntry | undefined): void {
    if (entry !== undefined) this.#used.add(entry);
  }
}

/** The receipt that an error of a governed call carries. */
export function receiptOf(error: unknown): Receipt | undefined {
  return isSimpleFunctionsError(error) ? (error.details?.["receipt"] as Receipt | undefined) : undefined;
}
