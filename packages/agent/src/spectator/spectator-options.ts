import type { AgentPolicy } from "@spfunctions/contracts";
import type {
  CallLimits,
  Clock,
  EvaluatePostTool,
  EvaluatePreTool,
  GivenPrincipal,
  Ids,
  Installation,
  ModelAdapter,
  ModelPrice,
  NetworkOptions,
  Pack,
  RunLimits,
  RunModel,
  SearchIndex,
  Store,
  HostRule,
} from "@spfunctions/kernel";
import type { Embedder } from "./memory/ask-embedder.ts";
import type { MemoryLimits } from "./memory/memory-limits.ts";
import type { SpectatorLimits } from "./read-limits.ts";
import type { Backend } from "./model/backend.ts";
import type { ToolCalling } from "./model/turn-model.ts";
import type { TurnLog } from "./turn/turn-log.ts";

export type SpectatorOptions = {
  /** What it asks: a model adapter. This or `backend`, exactly one of them. */
  readonly model?: ModelAdapter | undefined;
  /** What it asks instead, where that is no adapter: a backend of your own. */
  readonly backend?: Backend | undefined;
  /** Its tools, and its subagents. */
  readonly packs?: readonly Pack[] | undefined;
  /** Without a ceiling nothing is changed. `budget` is of each turn: 8 steps and 32 calls unless given. */
  readonly policy?: AgentPolicy | undefined;
  /** Who talks to it, and whose its sessions and memories are. */
  readonly principal: GivenPrincipal;
  /** Where sessions, memories, runs and grants are kept; in memory unless given. Whoever opened it closes it. */
  readonly store?: Store | undefined;
  /** The secret that proves what is kept to the next process; made for this one unless given. */
  readonly installation?: Installation | undefined;
  /** By which memories are found; in memory unless given, and then made anew from the store. */
  readonly search?: SearchIndex | undefined;
  /** Finds memories by their meaning, too. */
  readonly embed?: Embedder | undefined;
  /** What the operator demands in any case: it stands first, and no model takes anything from it. */
  readonly constraints?: readonly string[] | undefined;
  /** What its model is told first. */
  readonly instructions?: string | undefined;
  /** How its model calls tools: in blocks of its text, as it does unless given, or `native`, by itself. */
  readonly toolCalling?: ToolCalling | undefined;
  /** What is done where there is more than a model is shown: `now`, without asking it, unless given. */
  readonly autoCondense?: "now" | "smart" | undefined;
  /** Gets one text a turn, for people. */
  readonly turnLog?: TurnLog | undefined;
  /** What is said of the network: which hosts `net` reaches, and which local ones are opened. What may be reached, operators grant. */
  readonly network?: NetworkOptions | undefined;
  /** What a million tokens cost: without it nothing can be spent against `budgetUsd`. */
  readonly price?: ModelPrice | undefined;
  /** Tokens that an answer of the model may have at most. */
  readonly maxOutputTokens?: number | undefined;
  /** Counts what a request to the model has; never less than what will be billed. A token for every two bytes unless given. */
  readonly countTokens?: RunModel["countTokens"];
  /** Rules of your own, asked after the judge; they can only object. Each has an id and a version. */
  readonly rules?: readonly HostRule[] | undefined;
  /** The same without an id and a version: what a person approves under it is approved in this process only. */
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  /** The same for outputs: nobody gets one before it has answered. */
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
  /** Under which name its runs are kept: `spectator` unless given. Sessions are kept by account and their own names. */
  readonly agentId?: string | undefined;
  /** Of lists, texts, blocks and checkpoints. */
  readonly limits?: Partial<SpectatorLimits> | undefined;
  /** Of what is remembered and found. */
  readonly memoryLimits?: Partial<MemoryLimits> | undefined;
  /** Of each call of a tool. */
  readonly callLimits?: Partial<CallLimits> | undefined;
  /** Of each turn, which is a run. */
  readonly runLimits?: Partial<Omit<RunLimits, "onDenied" | "answered">> | undefined;
  /** Hears of what failed beside a turn, and changed nothing of it: a log that could not be written, a memory that could not be kept. */
  readonly onTrouble?: ((trouble: Trouble) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

export type Trouble = { readonly what: string; readonly error: unknown };
