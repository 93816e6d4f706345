import type { RuntimeEvent, RuntimeRunResult, RuntimeStep } from "@spfunctions/contracts";
import { heedless } from "@spfunctions/kernel";
import type { RunOptions, RunStream, SimpleFunctionsRuntime } from "../simple-functions-runtime.ts";
import { StepTeller } from "./step-teller.ts";

export type SendOptions = {
  /** Gets the model's words while it says them. */
  readonly onDelta?: ((text: string) => void) | undefined;
  /** Gets every step that has come to an end, and every question when it is asked. */
  readonly onStep?: ((step: RuntimeStep) => void) | undefined;
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
};

type Parts = {
  readonly runtime: SimpleFunctionsRuntime;
  readonly id: string;
  readonly agentId: string;
  readonly begun: RunStream;
};

/** One run of an agent. */
export class AgentRun {
  readonly id: string;
  readonly agentId: string;
  readonly #runtime: SimpleFunctionsRuntime;
  #begun: RunStream;
  /** Until whoever is told of it has been told everything. */
  #telling: Promise<void> | undefined;
  #status: RuntimeRunResult["status"] | "running" = "running";

  constructor({ runtime, id, agentId, begun }: Parts, { onDelta, onStep }: SendOptions = {}) {
    this.id = id;
    this.agentId = agentId;
    this.#runtime = runtime;
    this.#begun = this.#noting(begun);
    if (onDelta !== undefined || onStep !== undefined) this.#telling = tell(begun, onDelta, onStep);
  }

  /** As far as this process knows. `running`: it goes on by itself. */
  get status(): RuntimeRunResult["status"] | "running" {
    return this.#status;
  }

  /** Its events from the first on, until it ends, or until only a person can take it on. */
  stream(): AsyncIterable<RuntimeEvent> {
    return this.#isAtRest ? this.#goOn() : this.#begun;
  }

  /** What it has come to. Where it waited for a person when it was last asked, it is taken on from there. */
  async wait(options?: RunOptions): Promise<RuntimeRunResult> {
    const isGoingOn = options === undefined && !this.#isAtRest;
    const result = await (isGoingOn ? this.#begun : this.#goOn(options)).result;
    await this.#telling;
    return result;
  }

  async cancel(): Promise<void> {
    await this.#runtime.cancel(this.id);
  }

  get #isAtRest(): boolean {
    return this.#status === "requires_approval" || this.#status === "recovery_needed";
  }

  #goOn(options?: RunOptions): RunStream {
    this.#begun = this.#noting(this.#runtime.resumeStream(this.id, options));
    return this.#begun;
  }

  #noting(stream: RunStream): RunStream {
    this.#status = "running";
    const note = (status: RuntimeRunResult["status"]) =>
      this.#begun === stream ? (this.#status = status) : undefined;
    stream.result.then(
      ({ status }) => note(status),
      () => undefined,
    );
    return stream;
  }
}

/** Whoever is told has no say: what they throw changes nothing. */
async function tell(
  events: AsyncIterable<RuntimeEvent>,
  onDelta: SendOptions["onDelta"],
  onStep: SendOptions["onStep"],
): Promise<void> {
  const steps = new StepTeller();
  const [sayDelta, sayStep] = [heedless(onDelta), heedless(onStep)];
  try {
    for await (const event of events) {
      if (event.type === "model.delta") sayDelta(event.text);
      for (const step of steps.take(event)) sayStep(step);
    }
  } catch {
    // Why it ended is told to whoever waits for it.
  }
}
