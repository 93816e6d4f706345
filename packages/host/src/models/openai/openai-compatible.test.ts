import { modelConformance } from "@spfunctions/kernel/conformance";
import { describe, expect, test } from "vitest";
import { chatFormat } from "../../../test/chat-format.ts";
import { openModel } from "../../../test/model-provider.ts";
import { openaiCompatible } from "./openai-compatible.ts";

describe("a model behind chat completions keeps what every model promises", () => {
  const open = () => openModel(chatFormat, (place) => openaiCompatible({ model: "m", ...place }));

  test.each(modelConformance(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
