// G1: a tool states its effects or does not exist.
import {
  buildManifest,
  compatNameOf,
  type ContractTool,
  type CostEffect,
  defaultIdempotency,
  type ErrorDetails,
  type Idempotency,
  InvalidManifestError,
  isSimpleFunctionsError,
  type JsonObject,
  keyForMessage,
  nearest,
  type Risk,
  type SideEffect,
  snapshotJson,
  type ToolDefinition,
} from "@spfunctions/contracts";
import {
  bindExecutor,
  type EarlierCall,
  type Executor,
  type Reconciled,
  type ToolContext,
} from "../call/executors.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import type { InputOf, OutputOf, ToolSchema } from "./standard-schema.ts";
import { prepareTool } from "./tool-checks.ts";
import { warnOfTool } from "./warn-of-tool.ts";

type Optional = Pick<ToolDefinition, "title" | "status" | "stability" | "authRequired" | "traceEvents"> &
  Pick<ToolDefinition, "capability" | "trade" | "http" | "sdk">;

/** What its author says of a tool. Effects and permissions have no default; for the rest the safe one is taken. */
export type ToolSpec<
  Name extends string,
  Input extends ToolSchema,
  Output extends ToolSchema,
> = Partial<Optional> & {
  readonly name: Name;
  readonly description: string;
  /** A Standard Schema that can say itself as JSON Schema (zod 4 …), or JSON Schema 2020-12 or draft-07. */
  readonly input: Input;
  readonly output: Output;
  readonly permissions: readonly string[];
  readonly sideEffect: SideEffect;
  readonly costEffect: CostEffect;
  /** What repeating the call does. Said by nobody: a read is `natural`, everything else `none`. */
  readonly idempotency?: Idempotency;
  readonly risk?: readonly Risk[];
  readonly access?: { readonly anonymousAllowed: boolean };
  readonly agent?: { readonly callable?: boolean; readonly defaultEnabled?: boolean };
  readonly replay?: { readonly replayable: boolean };
  /** Milliseconds a call may take; one minute unless said. */
  readonly timeoutMs?: number;
  readonly run: (
    input: OutputOf<Input>,
    context: ToolContext,
  ) => OutputOf<Output> | Promise<OutputOf<Output>>;
  /** After a crash: what became of an effect that was begun. Asked before anybody calls it unknown. */
  readonly reconcile?: (input: OutputOf<Input>, context: ToolContext) => Reconciled | Promise<Reconciled>;
  /**
   * Of a call that a person must approve: the earlier call that has ordered exactly this one for later, with its idempotency key. The
   * approval of the earlier call counts once more if it fits; nobody is asked anew. Undefined for every other call.
   */
  readonly orderedBy?: (
    input: OutputOf<Input>,
    context: Pick<ToolContext, "principal" | "idempotencyKey">,
  ) => EarlierCall | undefined | Promise<EarlierCall | undefined>;
};

/** A defined tool: its contract and nothing that could run. */
export type Tool<Name extends string = string, Input = unknown, Output = unknown> = {
  readonly contract: ContractTool & { readonly name: Name };
  /** Only in types: what a call takes and gives. */
  readonly types?: { readonly input: Input; readonly output: Output };
};

/** Tools that come together. */
export type Pack = Tool | readonly Tool[];

const risksOfSideEffect: { readonly [Class in SideEffect]: readonly Risk[] } = {
  none: [],
  auth_telemetry_write: ["account_context"],
  user_write: ["state_mutation"],
  secret: ["secret"],
  runtime: ["runtime_control"],
  paper_trade: ["paper_trade"],
  live_trade: ["live_trade"],
};
const risksOfCost: { readonly [Class in CostEffect]: readonly Risk[] } = {
  none: [],
  api_cost: ["paid_upstream"],
  search_cost: ["search"],
  venue_request_cost: ["venue"],
  llm_cost: ["llm"],
};

/** As `defineTool` does, and asks no clock itself: `pause` lets time pass before a schema is asked again. */
export function makeTool<const Name extends string, Input extends ToolSchema, Output extends ToolSchema>(
  spec: ToolSpec<Name, Input, Output>,
  pause?: () => void,
): Tool<Name, InputOf<Input>, OutputOf<Output>> {
  const { input, output, run, reconcile, orderedBy, timeoutMs, ...stated } = readSpec(spec);
  const name = typeof stated["name"] === "string" ? keyForMessage(stated["name"]) : "without a name";
  requireClassified(name, { run, ...stated });
  requireFunctions(name, { run, reconcile, orderedBy });
  if (isGenerator(run)) warnOfGenerator(name);
  requireTimeLimit(name, timeoutMs);
  const definition = snapshotFacts(name, stated);
  const schemas = { input: input as ToolSchema, output: output as ToolSchema };
  const whole = definitionOf(definition, schemas, pause);
  const contract = contractOf(name, whole) as ContractTool & { readonly name: Name };
  const tool = Object.freeze({ contract });
  prepareTool(tool, schemas);
  bindExecutor(tool, { run, reconcile, orderedBy, timeoutMs } as Executor);
  return tool;
}

/** As a manifest has it. What is wrong is said of the tool and of what its author has stated: nobody has given it a place in a list. */
function contractOf(name: string, definition: ToolDefinition): ContractTool | undefined {
  try {
    return buildManifest([definition], "review").tools[0];
  } catch (error) {
    const { problems: given, path: place = "", ...details } = detailsOf(error);
    if (details.reason === "secret") {
      const message = (error as Error).message.replace(/^invalid manifest: .*?: /, "");
      throw new InvalidManifestError(`invalid tool ${name}: ${message}`, {
        details: { ...details, path: place.replace(/^\/0(?=\/|$)/, "") },
      });
    }
    if (!Array.isArray(given)) throw error;
    const problems = (given as readonly Problem[]).map(({ path, message }) => ({
      path: path.replace(/^\/0(?=\/|$)/, ""),
      message,
    }));
    const wrongName = problems.find(({ path }) => path === "/name");
    // Names for other hosts are made of it: what is wrong with them is wrong with it.
    const said = wrongName === undefined ? problems : [wrongName];
    const words = said.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
    throw new InvalidManifestError(`invalid tool ${name}: ${words}`, {
      details: { tool: name, path: said[0]?.path ?? "", reason: "schema_mismatch", problems: said },
      cause: error,
    });
  }
}

function detailsOf(error: unknown): ErrorDetails {
  return (isSimpleFunctionsError(error) && error.details) || {};
}

type Problem = { readonly path: string; readonly message: string };

type Stated = Readonly<Record<string, unknown>>;

/** Every property once: what a getter would answer the second time is never seen. */
function readSpec(spec: unknown): Stated {
  try {
    return { ...(spec as object) };
  } catch (cause) {
    throw refusal("without a name", "", "reading its definition threw", cause);
  }
}

const needed = {
  sideEffect: "say what it changes: none, user_write, secret, runtime, paper_trade, live_trade …",
  costEffect: "say what it costs: none, api_cost, search_cost, venue_request_cost, llm_cost",
  permissions: "list the permissions it needs, or [] for none",
  run: "give the function",
} as const;

function requireClassified(name: string, stated: Stated): void {
  for (const [field, remedy] of Object.entries(needed)) {
    if (stated[field] === undefined) throw refusal(name, field, `it states no ${field}; ${remedy}`);
  }
}

function requireFunctions(name: string, functions: Stated): void {
  for (const [field, value] of Object.entries(functions)) {
    if (value !== undefined && typeof value !== "function")
      throw refusal(name, field, `${field} is not a function`);
  }
}

function requireTimeLimit(name: string, timeoutMs: unknown): void {
  const isFine =
    Number.isSafeInteger(timeoutMs) && (timeoutMs as number) > 0 && (timeoutMs as number) <= 2 ** 31 - 1;
  if (timeoutMs === undefined || isFine) return;
  throw refusal(name, "timeoutMs", "timeoutMs is not a whole number of milliseconds from 1 to 2147483647");
}

const known = new Set(
  `name description permissions sideEffect costEffect title status stability authRequired access risk idempotency capability
  trade http sdk agent traceEvents replay`.split(/\s+/),
);

/** Plain data, and nothing in it that nobody would read. */
function snapshotFacts(name: string, stated: Stated): JsonObject {
  const unknown = Object.keys(stated).find((key) => !known.has(key));
  if (unknown !== undefined) {
    const [near] = nearest(unknown, known);
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    throw refusal(name, "", `unknown key "${keyForMessage(unknown)}"${hint}`);
  }
  try {
    return snapshotJson(stated) as JsonObject;
  } catch (cause) {
    throw refusal(name, "", isSimpleFunctionsError(cause) ? cause.message : "it is not plain data", cause);
  }
}

/** With its defaults, unchecked: the manifest's door looks at every field. */
function definitionOf(
  facts: JsonObject,
  { input, output }: { readonly input: ToolSchema; readonly output: ToolSchema },
  pause: (() => void) | undefined,
): ToolDefinition {
  const name = typeof facts["name"] === "string" ? facts["name"] : "";
  const sideEffect = facts["sideEffect"] as SideEffect;
  const costEffect = facts["costEffect"] as CostEffect;
  const agent = withDefaults(facts["agent"], { callable: sideEffect !== "secret" });
  const isCallable = (agent as { callable?: unknown } | null)?.callable === true;
  const isOpen =
    (facts["access"] as { anonymousAllowed?: unknown } | undefined | null)?.anonymousAllowed === true;
  return {
    title: facts["name"],
    compatName: compatNameOf(name),
    status: "implemented",
    stability: "experimental",
    authRequired: !isOpen,
    access: { anonymousAllowed: false },
    risk: [...own(risksOfSideEffect, sideEffect), ...own(risksOfCost, costEffect)],
    idempotency: defaultIdempotency(sideEffect),
    traceEvents: [],
    ...facts,
    input: jsonSchemaOf(input, "input", name, pause),
    output: jsonSchemaOf(output, "output", name, pause),
    agent: withDefaults(agent, { defaultEnabled: isCallable && sideEffect === "none", name }),
    replay: withDefaults(facts["replay"], { replayable: true, match: "tool+inputHash" }),
  } as unknown as ToolDefinition;
}

/** What is given stays as it was given, also where it is no object: then the door refuses it. */
function withDefaults(given: unknown, defaults: object): unknown {
  if (given === undefined) return defaults;
  return typeof given === "object" && given !== null && !Array.isArray(given)
    ? { ...defaults, ...given }
    : given;
}

function own<Key extends string>(risks: Readonly<Record<Key, readonly Risk[]>>, key: Key): readonly Risk[] {
  return typeof key === "string" && Object.hasOwn(risks, key) ? risks[key] : [];
}

function refusal(tool: string, field: string, why: string, cause?: unknown): InvalidManifestError {
  return new InvalidManifestError(`invalid tool ${tool}: ${why}`, {
    details: { tool, path: field === "" ? "" : `/${field}`, reason: "not_stated" },
    cause,
  });
}

function isGenerator(run: unknown): boolean {
  return /\[object (?:Async)?GeneratorFunction\]/.test(Object.prototype.toString.call(run));
}

/** What it gives back is known before it runs: a generator, which is no JSON value. Said once of each tool. */
function warnOfGenerator(tool: string): void {
  warnOfTool(
    `the function of the tool ${tool} is a generator: what it yields is no output, and every call of it fails (invalid_output); return a JSON value, and say what happens meanwhile with context.progress(text)`,
  );
}
