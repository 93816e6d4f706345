// Calls of an agent may be erased while it is open, here or in another process. Before anything is read that a model is shown, it is known
// whether that was so, and what was not finished is.
import type { AgentErasure } from "@spfunctions/contracts";
import type { ErasedCall } from "../../erase/erase-call.ts";
import { erasureCount, type ErasuresOf, keptErasures } from "../../erase/kept-erasure.ts";

export type AgentErasuresParts = ErasuresOf & {
  /** `read`: a run that is read again from here on. */
  readonly erase: (callId: string, read?: string) => Promise<ErasedCall>;
  /** Takes memories out of what is held of them here: they are in the store no more. */
  readonly drop: (memories: readonly string[]) => Promise<void>;
  readonly removeLog: (sessionId: string, name: string) => Promise<void>;
};

export class AgentErasures {
  readonly #parts: AgentErasuresParts;
  #known: { readonly count: number; readonly erasures: readonly AgentErasure[] } = { count: 0, erasures: [] };
  /** What was taken out here already. */
  readonly #dropped = new Set<string>();

  constructor(parts: AgentErasuresParts) {
    this.#parts = parts;
  }

  /** Changes with every erasing. */
  async count(): Promise<number> {
    return await erasureCount(this.#parts);
  }

  /** Finishes what was begun and not finished, and takes out of index and logs what others have erased. */
  async finish(): Promise<void> {
    for (const { callId, status } of await this.#read())
      if (status === "begun") await this.#parts.erase(callId);
    for (const erasure of await this.#read()) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#drop(erasure);
    }
  }

  /** What a run has said that was under way when a call was erased is erased, too; from here on it is shown nothing of that. */
  async readAgain(runId: string): Promise<void> {
    for (const { callId, underWay } of await this.#read())
      if (underWay.some((one) => one === runId)) await this.#parts.erase(callId, runId);
  }

  /** What is written from what was read before something was erased is erased with it. */
  async guarded<Result>(write: () => Promise<Result>): Promise<Result> {
    const count = await this.count();
    const result = await write();
    if ((await this.count()) !== count) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const { callId } of await this.#read()) await this.#parts.erase(callId);
    }
    return result;
  }

  async #read(): Promise<readonly AgentErasure[]> {
    const count = await this.count();
    if (count !== this.#known.count) {
      const erasures: AgentErasure[] = [];
      for await (const one of keptErasures(this.#parts)) erasures.push(one);
      this.#known = { count, erasures };
    }
    return this.#known.erasures;
  }

  async #drop({ memories, logs }: AgentErasure): Promise<void> {
    const newMemories = memories.filter((id) => !this.#dropped.has(id));
    if (newMemories.length > 0) await this.#parts.drop(newMemories);
    for (const id of newMemories) this.#dropped.add(id);
    for (const { sessionId, name } of logs) {
      if (this.#dropped.has(`${sessionId}/${name}`)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.#parts.removeLog(sessionId, name);
      this.#dropped.add(`${sessionId}/${name}`);
    }
  }
}
