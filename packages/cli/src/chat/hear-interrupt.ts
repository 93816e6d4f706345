import type { CliIo } from "../io/cli-io.ts";

export type Interruptible = {
  /** Aborts at a first Ctrl-C, and when the whole process is told to end. */
  readonly signal: AbortSignal;
  readonly release: () => void;
};

/** For as long as something is under way, Ctrl-C ends that and not the chat. */
export function interruptible(io: Pick<CliIo, "signal" | "hearInterrupt">, told: () => void): Interruptible {
  const stop = new AbortController();
  const release = io.hearInterrupt?.(() => {
    told();
    stop.abort("SIGINT");
  });
  io.signal.addEventListener("abort", told, { once: true });
  return {
    signal: AbortSignal.any([io.signal, stop.signal]),
    release: () => {
      release?.();
      io.signal.removeEventListener("abort", told);
    },
  };
}
