import { InvalidInputError, MissingApiKeyError } from "@spfunctions/contracts";
import type { ModelAdapter } from "@spfunctions/kernel";
import { anthropic } from "./anthropic/anthropic.ts";
import { estimateUsage } from "./estimate-usage.ts";
import { openaiCompatible } from "./openai/openai-compatible.ts";
import { scriptedModel } from "./scripted/scripted-model.ts";

type Env = { readonly [name: string]: string | undefined };

const openaiUrl = "https://api.openai.com/v1";

/**
 * The model that a command line names. Its key comes from the environment: `SF_MODEL_KEY`, or at the provider's own address
 * `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`. `SF_MODEL_USAGE=estimate` counts what an answer has cost where a server does not say it.
 *
 * @example modelFrom("openai:llama3@http://127.0.0.1:11434/v1", process.env)
 */
export function modelFrom(text: string, env: Env): ModelAdapter {
  const [kind, rest] = cutAt(text, text.indexOf(":"));
  if (rest === "") throw unknownModel();
  if (kind === "scripted") return scriptedModel(rest);
  if (kind === "openai") return openaiFrom(rest, env);
  if (kind === "anthropic") return anthropic({ model: rest, apiKey: keyOf(env, "ANTHROPIC_API_KEY") });
  throw unknownModel();
}

function openaiFrom(text: string, env: Env): ModelAdapter {
  const at = text.lastIndexOf("@http");
  const [model, baseUrl] = at === -1 ? [text, openaiUrl] : cutAt(text, at);
  if (model === "" || (at === -1 && text.includes("@"))) throw unknownModel();
  // A key of OpenAI's goes to nobody else. A server on one's own machine asks for none.
  const apiKey = baseUrl === openaiUrl ? keyOf(env, "OPENAI_API_KEY") : env["SF_MODEL_KEY"] || undefined;
  const countUsage = isEstimated(env) ? estimateUsage : undefined;
  return openaiCompatible({ model, baseUrl, apiKey, countUsage });
}

function isEstimated({ SF_MODEL_USAGE: said = "" }: Env): boolean {
  if (said === "" || said === "estimate") return said !== "";
  throw new InvalidInputError("SF_MODEL_USAGE takes estimate alone; set it to that, or leave it out", {
    details: { reason: "unknown_value" },
  });
}

function keyOf(env: Env, name: string): string {
  const key = env["SF_MODEL_KEY"] || env[name];
  if (key) return key;
  throw new MissingApiKeyError(`this model needs a key; set ${name} or SF_MODEL_KEY`, {
    details: { reason: "missing", variable: name },
  });
}

function cutAt(text: string, at: number): [before: string, after: string] {
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** It does not repeat what was given: an address may hold a password. */
function unknownModel(): InvalidInputError {
  return new InvalidInputError(
    "this names no model; write scripted:<file>, openai:<model>@<address> or anthropic:<model>",
    { details: { reason: "unknown_model" } },
  );
}
