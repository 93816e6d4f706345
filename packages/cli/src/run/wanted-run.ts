// Everything that can be wrong with what was given is found before anything is opened.
import { type RuntimeRunInput, withModestBounds } from "@spfunctions/agent/v1";
import type { AgentPolicy } from "@spfunctions/contracts";
import type { RunModel, ToolSchema } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { asUsage, readInput } from "../io/read-json.ts";
import { readSource } from "../io/read-source.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { demoObjective, demoPolicy, demoTools } from "./demo.ts";
import { demoAgentId } from "./demo-agent-id.ts";
import { demoModel } from "./demo-model.ts";
import { modelNameIn, namedModel, noModel } from "./named-model.ts";
import type { RunCommandOptions } from "./run-options.ts";

/** What is to be run, under which law, and by which model. */
export type WantedRun = {
  readonly input: Omit<RuntimeRunInput, "signal">;
  /** Under which name it is kept, where that is not the usual one. */
  readonly agentId?: string;
  readonly policy: AgentPolicy;
  /** Which bounds its policy did not have, and what they are. */
  readonly defaults: readonly string[];
  /** Nothing where traces answer for it. */
  readonly model: RunModel | undefined;
  readonly instructions?: string | undefined;
};

export async function wantedRun(
  objective: string | undefined,
  options: RunCommandOptions,
  io: CliIo,
): Promise<WantedRun> {
  if (options.demo === true) return demoRun(objective, options);
  const { tools, session, maxSteps, replayTrace } = options;
  if (objective === undefined || objective.trim() === "")
    throw badUsage('say what is to be done: sf run "<objective>"; or look at sf run --demo');
  const { policy, defaults } = withModestBounds(await readPolicy(options.policy, io));
  const model = modelOf(options, io);
  if (replayTrace === undefined) requirePrice(policy, model);
  return {
    input: {
      objective,
      ...(tools !== undefined && { tools }),
      ...(session !== undefined && { sessionId: session }),
      ...(maxSteps !== undefined && { maxSteps }),
      ...(options.outputSchema !== undefined && { output: await schemaIn(options.outputSchema, io) }),
    },
    policy,
    defaults,
    model,
    ...(options.instructions !== undefined && {
      instructions: await instructionsOf(options.instructions, io),
    }),
  };
}

function demoRun(objective: string | undefined, { maxSteps }: RunCommandOptions): WantedRun {
  if (objective !== undefined) throw badUsage("--demo has an objective of its own; leave yours out");
  return {
    agentId: demoAgentId,
    input: {
      objective: demoObjective,
      tools: [...demoTools],
      ...(maxSteps !== undefined && { maxSteps }),
    },
    policy: demoPolicy,
    defaults: [],
    model: { adapter: demoModel() },
  };
}

/** In a replay the model says again what it has said, unless one is named. */
function modelOf({ model, replayTrace }: RunCommandOptions, io: CliIo): RunModel | undefined {
  const name = replayTrace === undefined ? modelNameIn(model, io) : model;
  if (name !== undefined) return namedModel(name, io);
  if (replayTrace === undefined) throw noModel();
  return undefined;
}

/** B26: what is not known to cost nothing is not run against a budget of money. */
export function requirePrice({ budget }: AgentPolicy, model: RunModel | undefined): void {
  if (budget?.budgetUsd === undefined || model === undefined || model.price !== undefined) return;
  throw badUsage(
    `the policy has budget.budgetUsd, and what ${model.adapter.name} costs is not known here; bound it with budget.maxTokens instead, or name a model whose price is listed`,
  );
}

async function schemaIn(file: string, io: CliIo): Promise<ToolSchema> {
  const schema = await readInput(`@${file}`, io);
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return schema as ToolSchema;
  throw badUsage(`${file} is no JSON Schema: expected an object`);
}

/**
 * A file of `sf run --instructions`.
 * @limit cli.instructionsBytes | exit 2: bad usage | fixed: a model reads them with every step
 */
const mostInstructions = 1024 * 1024;

export async function instructionsOf(given: string, io: CliIo): Promise<string> {
  const text = given.startsWith("@")
    ? await asUsage(() => readSource(given.slice(1), io, mostInstructions))
    : given;
  if (text.trim() === "") throw badUsage("--instructions says nothing; give a text, or @file");
  return text;
}
