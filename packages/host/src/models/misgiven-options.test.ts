import { expect, test } from "vitest";
import type { AiSdkLanguageModel } from "./ai-sdk/language-model.ts";
import { anthropic, fromAiSdk, openaiCompatible, scriptedModel } from "./index.ts";

const sdkModel = { specificationVersion: "v2", doGenerate: () => undefined } as unknown as AiSdkLanguageModel;

test.each<[string, () => unknown, string]>([
  ["anthropic", () => anthropic({ model: "m", apikey: "k" } as never), "apikey; did you mean apiKey?"],
  [
    "openaiCompatible",
    () => openaiCompatible({ model: "m", baseURL: "http://127.0.0.1" } as never),
    "baseURL; did you mean baseUrl?",
  ],
  ["fromAiSdk", () => fromAiSdk(sdkModel, { apikey: "k" } as never), "apikey; did you mean apiKey?"],
  ["scriptedModel", () => scriptedModel([], { nam: "x" } as never), "nam; did you mean name?"],
])("%s refuses an option that is misspelt, and does not repeat what it was given", (_, make, message) => {
  expect(make).toThrow(new RegExp(`^unknown model option ${message.replace("?", "\\?")}$`));
});
