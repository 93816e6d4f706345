import {
  type Clock,
  createMemorySearchIndex,
  createMemoryStore,
  openInstallation,
  type SearchIndex,
  type Store,
} from "@spfunctions/kernel";
import { Memory } from "../src/spectator/memory/memory.ts";
import type { MemoryOptions } from "../src/spectator/memory/memory-host.ts";

export const installation = openInstallation(Buffer.alloc(32, 7));

/** A clock that goes when it is told to. */
export function handClock() {
  let now = Date.parse("2026-11-17T12:00:00.000Z");
  const due = new Set<{ readonly at: number; readonly act: () => void }>();
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    after: (ms, act) => {
      const one = { at: now + ms, act };
      due.add(one);
      return () => due.delete(one);
    },
  };
  const pass = (ms: number) => {
    now += ms;
    for (const one of due) {
      if (one.at > now) continue;
      due.delete(one);
      one.act();
    }
  };
  return { clock, pass, waiting: () => due.size };
}

export type Desk = {
  readonly store: Store;
  readonly search: SearchIndex;
  readonly open: (options?: Partial<MemoryOptions>) => Memory;
};

/** One store and one index, and memories over them; of the account `one` unless another is named. */
export function memoryDesk(parts: Partial<Pick<Desk, "store" | "search">> = {}): Desk {
  const { store = createMemoryStore(), search = createMemorySearchIndex() } = parts;
  const open = (options: Partial<MemoryOptions> = {}) =>
    new Memory({ store, search, accountId: "one", installation, ...options });
  return { store, search, open };
}

export const byUser = { type: "user" } as const;
export const byTool = { type: "tool", name: "web.fetch" } as const;
