// What a child does is shown to whoever watches its parent: live, and with where it stands among the child's own events.
import type { RunId, RuntimeEvent } from "@spfunctions/contracts";
import type { LiveRun, WatchRun } from "../run/driver/live-run.ts";
import { runCursor } from "../run/state/run-events.ts";
import type { RunHandle } from "../run/run-handle.ts";

type Progress = Extract<RuntimeEvent, { type: "subagent.progress" }>;

export class ChildProgress {
  readonly #live: LiveRun;
  readonly #childRunId: RunId;
  readonly #subagent: string;
  readonly #begun = Promise.withResolvers<void>();
  #handle: RunHandle | undefined;
  #isShown = false;

  /** `gone`: nobody looks after it any more. */
  constructor(live: LiveRun, childRunId: RunId, subagent: string, gone: AbortSignal) {
    this.#live = live;
    this.#childRunId = childRunId;
    this.#subagent = subagent;
    gone.addEventListener("abort", () => this.#begun.resolve(), { once: true });
  }

  /** Until it is there, or never will be. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  begin(handle: RunHandle): void {
    this.#handle = handle;
    this.#begun.resolve();
    this.show();
  }

  /** Where anybody watches. */
  show(): void {
    if (this.#isShown || this.#handle === undefined || this.#live.watch === undefined) return;
    this.#isShown = true;
    void this.#follow(this.#handle).catch(() => undefined);
  }

  async #follow(handle: RunHandle): Promise<void> {
    for await (const event of handle.stream({ signal: this.#live.closing })) this.#tell(event);
  }

  /** Of what is on record the journal tells. */
  readonly watch: WatchRun = (event) => {
    if ("live" in event) this.#tell(event);
  };

  #tell(event: RuntimeEvent): void {
    const { children } = this.#live.run.shape;
    // What goes on without its parent is none of its.
    if (children.get(this.#childRunId)?.phase !== "detached") this.#live.watch?.(this.#wrapped(event));
  }

  /** What comes from further below stays what it is. */
  #wrapped(event: RuntimeEvent): Progress {
    const { runId } = this.#live.run.opening;
    if (event.type === "subagent.progress") return { ...event, runId };
    const { tool, text, message } = event as { tool?: string; text?: string; message?: string };
    const words = text ?? message;
    return {
      type: "subagent.progress",
      live: true,
      runId,
      ts: event.ts,
      childRunId: this.#childRunId,
      subagent: this.#subagent,
      kind: event.type,
      ...("seq" in event && { cursor: runCursor(event) }),
      ...(tool !== undefined && { tool }),
      ...(words !== undefined && { text: words }),
    };
  }
}
