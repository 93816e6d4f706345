import { type ContractTool, runIdSchema } from "@spfunctions/contracts";
import { Approvals } from "../approvals/approvals.ts";
import type { Answering } from "../call/answering.ts";
import { Caller } from "../call/caller.ts";
import { Grants } from "../grants/grants.ts";
import { toolTable } from "../generated/tool-table.ts";
import type { Resources, ToolTypes } from "../generated/tool-types.ts";
import { KeptManifest } from "../manifest/kept-manifest.ts";
import type { CallOptions } from "../options/call-options.ts";
import { malformed } from "../options/check-options.ts";
import type { ClientOptions } from "../options/client-options.ts";
import { type Limits, limitsOf } from "../options/limits.ts";
import { LentCredential } from "../runs/lent-credential.ts";
import { checkEventsOptions, type EventsOptions } from "../stream/events-request.ts";
import { type FollowedEvent, followEvents } from "../stream/follow-events.ts";
import { ToolDirectory } from "../tool/tool-directory.ts";
import type { ToolEntry } from "../tool/tool-facts.ts";
import { Connection } from "../wire/connection.ts";
import { type Internals, internals, internalsOf } from "./internals.ts";
import { BoundResources } from "./resources.ts";

/** The table gives a client its resources; their types were generated beside it. */
const ClientBase = BoundResources as new (
  ...given: ConstructorParameters<typeof BoundResources>
) => Resources;

/** The canonical names of the tools that this client was built with. */
export type ToolName = keyof ToolTypes;

/** The input of a tool, by its canonical name. */
export type InputOf<Name extends string> = Name extends keyof ToolTypes ? ToolTypes[Name]["input"] : unknown;

/** What calling a tool gives, by its canonical name. */
export type AnswerOf<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name]["answer"]
  : Answering<unknown>;

/** The data that a tool answers with, by its canonical name. */
export type OutputOf<Name extends string> = Awaited<AnswerOf<Name>>;

/** An input of which nothing is needed may be left out. */
type CallArguments<Input> = { readonly [key: string]: never } extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** What one run acts with at the platform. */
type RunActor = { readonly lent: LentCredential; readonly client: SimpleFunctions };

const mostActors = 1000;

/** A client of the platform. Its key is in none of its properties, and in no text that is made of it. */
export class SimpleFunctions extends ClientBase {
  /** Questions to people: what waits for an answer, and answering. */
  readonly approvals: Approvals;
  /** What calls may reach: what is asked for, what is granted, and saying so. */
  readonly grants: Grants;
  readonly #connection: Connection;
  readonly #limits: Limits;
  readonly #caller: Caller;
  readonly #table: readonly ToolEntry[];
  readonly #actors = new Map<string, RunActor>();

  constructor(options: ClientOptions = {}) {
    const limits = limitsOf(options);
    const { table = toolTable, connection = Connection.to(options) } = internalsOf(options);
    const directory = new ToolDirectory(table, new KeptManifest(connection, limits));
    const caller = new Caller(connection, limits, directory);
    super(table, (facts, input, callOptions) => caller.call(facts, input, callOptions));
    this.#connection = connection;
    this.#limits = limits;
    this.#caller = caller;
    this.#table = table;
    this.approvals = new Approvals(connection, limits);
    this.grants = new Grants(connection, limits);
  }

  /** Whether this client holds a key. It asks nobody whether the key is good. */
  hasApiKey(): boolean {
    return this.#connection.credential !== undefined;
  }

  /** A name for the key that this client holds, by which nobody can find the key; nothing where it holds none. */
  credentialId(): string | undefined {
    return this.#connection.credential?.id;
  }

  /** Calls any tool of the platform by its canonical name. A name that is nearly one is suggested and never taken for it. */
  call<const Name extends keyof ToolTypes | (string & {})>(
    name: Name,
    ...[input, options]: CallArguments<InputOf<Name>>
  ): AnswerOf<Name> {
    return this.#caller.callByName(name, input, options) as AnswerOf<Name>;
  }

  /** Calls a tool by its contract, as the platform has given it: by its route, whatever this client was built with. */
  callByContract(contract: ContractTool, input?: unknown, options?: CallOptions): Answering<unknown> {
    return this.#caller.callByContract(contract, input, options);
  }

  /** The account's events as they happen, or those of one run to its end. A break of the connection is not noticed. */
  events(options: EventsOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    checkEventsOptions(options);
    return followEvents(this.#connection, this.#limits, options);
  }

  /**
   * A client for what a model drives in one run: with a credential that this client's key lends it, of 15 minutes, renewed while the key
   * is good; without `trade` and `admin`, and dead with the key.
   */
  forRun(runId: string): SimpleFunctions {
    return this.#actorOf(runId).client;
  }

  /** Whether the platform lets this client's key act for a run; asked there once a minute at most. */
  async mayActFor(runId: string): Promise<boolean> {
    return await this.#actorOf(runId).lent.isLent();
  }

  toJSON(): { readonly baseUrl: string; readonly hasApiKey: boolean } {
    return { baseUrl: this.#connection.baseUrl, hasApiKey: this.hasApiKey() };
  }

  /** Those that were used last are kept; to others it is lent again. */
  #actorOf(runId: string): RunActor {
    const actor = this.#actors.get(runId) ?? this.#newActor(runId);
    this.#actors.delete(runId);
    const [oldest] = this.#actors.keys();
    if (this.#actors.size >= mostActors && oldest !== undefined) this.#actors.delete(oldest);
    this.#actors.set(runId, actor);
    return actor;
  }

  #newActor(runId: string): RunActor {
    const { success, data } = runIdSchema.safeParse(runId);
    if (!success)
      throw malformed("runId", "is no whole run's id: that is run_ and all that follows, as it was given");
    const lent = new LentCredential(this.#connection, this.#limits, data);
    const { timeoutMs, retries, timing } = this.#limits;
    const own = { connection: this.#connection.lending(lent), table: this.#table, timing };
    const options: ClientOptions & { [internals]: Internals } = { timeoutMs, retries, [internals]: own };
    return { lent, client: new SimpleFunctions(options) };
  }
}
