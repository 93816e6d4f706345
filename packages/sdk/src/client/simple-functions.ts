import type { ContractTool } from "@spfunctions/contracts";
import { Approvals } from "../approvals/approvals.ts";
import type { Answering } from "../call/answering.ts";
import { Caller } from "../call/caller.ts";
import { toolTable } from "../generated/tool-table.ts";
import type { Resources, ToolTypes } from "../generated/tool-types.ts";
import { KeptManifest } from "../manifest/kept-manifest.ts";
import type { CallOptions } from "../options/call-options.ts";
import { type ClientOptions, internalsOf, type Limits, limitsOf } from "../options/client-options.ts";
import { checkEventsOptions, type EventsOptions } from "../stream/events-request.ts";
import { type FollowedEvent, followEvents } from "../stream/follow-events.ts";
import { ToolDirectory } from "../tool/tool-directory.ts";
import { Connection } from "../wire/connection.ts";
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

/** A client of the platform. Its key is in none of its properties, and in no text that is made of it. */
export class SimpleFunctions extends ClientBase {
  /** Questions to people: what waits for an answer, and answering. */
  readonly approvals: Approvals;
  readonly #connection: Connection;
  readonly #limits: Limits;
  readonly #caller: Caller;

  constructor(options: ClientOptions = {}) {
    const limits = limitsOf(options);
    const connection = new Connection(options);
    const table = internalsOf(options).table ?? toolTable;
    const directory = new ToolDirectory(table, new KeptManifest(connection, limits));
    const caller = new Caller(connection, limits, directory);
    super(table, (facts, input, callOptions) => caller.call(facts, input, callOptions));
    this.#connection = connection;
    this.#limits = limits;
    this.#caller = caller;
    this.approvals = new Approvals(connection, limits);
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

  toJSON(): { readonly baseUrl: string; readonly hasApiKey: boolean } {
    return { baseUrl: this.#connection.baseUrl, hasApiKey: this.hasApiKey() };
  }
}
