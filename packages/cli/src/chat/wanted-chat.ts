// Everything that can be wrong with what was given is found before anything is opened.
import type { AgentPolicy } from "@spfunctions/contracts";
import type { RunModel } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { asUsage } from "../io/read-json.ts";
import { readSource } from "../io/read-source.ts";
import { modelNameIn, namedModel, noModel } from "../run/named-model.ts";
import { instructionsOf, requirePrice } from "../run/wanted-run.ts";
import { readPolicy } from "../seat/read-policy.ts";
import type { ChatOptions } from "./chat-options.ts";

/** With whom is spoken, under which law. */
export type WantedChat = {
  readonly model: RunModel;
  readonly policy: AgentPolicy;
  readonly constraints: readonly string[];
  readonly instructions?: string | undefined;
  /** What is said to it where nobody sits there. */
  readonly once?: string | undefined;
};

/**
 * What `sf chat --once -` reads.
 * @limit cli.onceBytes | exit 2: bad usage | fixed: a turn takes less (`chat.userChars`)
 */
const mostSaid = 1024 * 1024;

export async function wantedChat(options: ChatOptions, io: CliIo): Promise<WantedChat> {
  const name = modelNameIn(options.model, io);
  if (name === undefined) throw noModel("a chat", "sf run --demo shows what needs none");
  const policy = await readPolicy(options.policy, io);
  const model = namedModel(name, io);
  requirePrice(policy, model);
  const { constraint: constraints = [], instructions, once } = options;
  if (constraints.some((text) => text.trim() === ""))
    throw badUsage("--constraint says nothing; give a text");
  return {
    model,
    policy,
    constraints,
    ...(instructions !== undefined && { instructions: await instructionsOf(instructions, io) }),
    ...(once !== undefined && { once: await saidIn(once, io) }),
  };
}

/** A text, or all that comes from the standard input. */
async function saidIn(given: string, io: CliIo): Promise<string> {
  const text = given === "-" ? await asUsage(() => readSource("-", io, mostSaid)) : given;
  if (text.trim() === "") throw badUsage("--once says nothing; give a text, or - for the standard input");
  return text;
}
