import type { ContractTool } from "@spfunctions/contracts";
import { type CallOptions, checkCallOptions } from "../options/call-options.ts";
import type { Limits } from "../options/limits.ts";
import type { ToolDirectory } from "../tool/tool-directory.ts";
import { factsOf, type ToolFacts, withoutRoute } from "../tool/tool-facts.ts";
import type { Connection } from "../wire/connection.ts";
import { Deadline } from "../wire/deadline.ts";
import { deliver } from "../wire/deliver.ts";
import { earlyFault } from "../wire/faults.ts";
import { type Answer, Answering } from "./answering.ts";
import { Listing } from "./listing.ts";
import { toolErrand } from "./tool-errand.ts";

/** Calls tools: finds them, checks before anything is sent, sends, reads. Every refusal comes as a rejection. */
export class Caller {
  readonly #connection: Connection;
  readonly #limits: Limits;
  readonly #directory: ToolDirectory;

  constructor(connection: Connection, limits: Limits, directory: ToolDirectory) {
    this.#connection = connection;
    this.#limits = limits;
    this.#directory = directory;
  }

  /** A tool of the generated table. */
  call(facts: ToolFacts, input?: unknown, options: CallOptions = {}): Answering<unknown> {
    const whole = this.#answer(facts.route.tool, input, options, facts);
    return facts.lists ? this.#listing(facts.route.tool, whole, input, options) : new Answering(whole);
  }

  /** A tool by its contract. */
  callByContract(contract: ContractTool, input?: unknown, options: CallOptions = {}): Answering<unknown> {
    const facts = factsOf(contract);
    return facts === undefined
      ? new Answering(Promise.reject(withoutRoute(contract.name)))
      : this.call(facts, input, options);
  }

  /** Any tool of the platform. Whether it gives a list may not be known yet. */
  callByName(name: string, input?: unknown, options: CallOptions = {}): Answering<unknown> {
    const known = this.#directory.known(name);
    if (known !== undefined) return this.call(known, input, options);
    return this.#listing(name, this.#answer(name, input, options, undefined), input, options);
  }

  #listing(name: string, first: Promise<Answer<unknown>>, input: unknown, options: CallOptions) {
    return new Listing(name, first, (after) => {
      // Each page is a call of its own, and so cannot be sent under the key of another.
      const { idempotencyKey: _, ...others } = options;
      return this.#answer(name, { ...(input as object | undefined), after }, others, undefined);
    });
  }

  async #answer(
    name: string,
    input: unknown,
    options: CallOptions,
    facts: ToolFacts | undefined,
  ): Promise<Answer<unknown>> {
    checkCallOptions(options);
    const deadline = new Deadline(
      this.#limits.timing,
      options.timeoutMs ?? this.#limits.timeoutMs,
      options.signal,
    );
    try {
      const known = facts ?? this.#directory.known(name) ?? (await this.#find(name, deadline));
      const errand = toolErrand(this.#connection, known, input, options, this.#limits.retries);
      return await deliver(this.#connection, this.#limits, errand, deadline);
    } finally {
      deadline.close();
    }
  }

  async #find(name: string, deadline: Deadline): Promise<ToolFacts> {
    try {
      return await deadline.race(this.#directory.find(name));
    } catch (error) {
      if (deadline.early === undefined) throw error;
      throw earlyFault({ name, isRepeatable: true }, deadline.early, false);
    }
  }
}
