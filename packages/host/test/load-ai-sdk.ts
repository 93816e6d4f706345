// Packages of this repository are read through the `source` condition, and so would those of others be that have one. The AI SDK is
// taken as it is published: bundled without that condition.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { build } from "rolldown";

type OpenAICompatible = { readonly createOpenAICompatible: typeof createOpenAICompatible };

/** The AI SDK's own provider for chat completions. */
export async function loadAiSdk(): Promise<OpenAICompatible> {
  const folder = await mkdtemp(join(tmpdir(), "sf-ai-sdk-"));
  try {
    const file = join(folder, "ai-sdk.mjs");
    const input = import.meta.resolve("@ai-sdk/openai-compatible");
    await build({ input: new URL(input).pathname, platform: "node", logLevel: "silent", output: { file } });
    return (await import(pathToFileURL(file).href)) as OpenAICompatible;
  } finally {
    await rm(folder, { recursive: true });
  }
}
