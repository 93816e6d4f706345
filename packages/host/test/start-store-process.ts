import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Store } from "@spfunctions/kernel";
import type { Answer, Ask, Numbered, StoreOptions } from "./store-process.ts";
import { withPackages } from "../../../tests/installed/start-installed.ts";

/** A process beside this one that can open a store. */
export type StoreProcess = {
  readonly child: ChildProcess;
  readonly ask: (ask: Ask) => Promise<Answer>;
  /** The process id, or the fault. */
  readonly open: (options: StoreOptions) => Promise<Answer>;
  /** What a method of its store answers; throws where it fails. */
  readonly call: (method: keyof Store, ...args: readonly unknown[]) => Promise<unknown>;
  /** Ends it, and returns once it has ended. */
  readonly end: (signal?: NodeJS.Signals) => Promise<void>;
};

export function startStoreProcess(): StoreProcess {
  const child = fork(join(import.meta.dirname, "store-process.ts"), {
    execArgv: [...withPackages, "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    serialization: "advanced",
  });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  child.on("message", (said) => {
    const { number, message } = said as Numbered<Answer>;
    waiting.get(number)?.resolve(message);
  });
  child.on("exit", (code, signal) => {
    const ended = new Error(`the process ended with ${code ?? signal} before it answered`);
    for (const { reject } of waiting.values()) reject(ended);
  });
  let asked = 0;
  const ask = (message: Ask) => {
    asked += 1;
    const answer = Promise.withResolvers<Answer>();
    waiting.set(asked, answer);
    child.send({ number: asked, message });
    return answer.promise;
  };
  return {
    child,
    ask,
    open: (options) => ask({ act: "open", options }),
    call: async (act, ...args) => {
      const said = await ask({ act, args });
      assert("value" in said, `${act} failed: ${JSON.stringify(said)}`);
      return said.value;
    },
    end: async (signal = "SIGKILL") => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}
