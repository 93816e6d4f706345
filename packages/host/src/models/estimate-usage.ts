import type { ModelCompleteInput, ModelCompleteResult, ModelUsage } from "@spfunctions/kernel";

/** A token for every two bytes, as a run sets aside for what it asks: rather too many than too few, and never more than were asked for. */
export function estimateUsage(
  { messages, tools, output, maxTokens = Number.POSITIVE_INFINITY }: ModelCompleteInput,
  { text = "", toolCalls }: Omit<ModelCompleteResult, "usage">,
): ModelUsage {
  return {
    inputTokens: tokensIn([messages, tools, output ?? ""]),
    outputTokens: Math.min(tokensIn([text, toolCalls]), maxTokens),
  };
}

function tokensIn(values: readonly unknown[]): number {
  const bytes = values.reduce<number>((sum, value) => sum + Buffer.byteLength(JSON.stringify(value)), 0);
  return Math.ceil(bytes / 2);
}
