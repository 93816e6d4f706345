import { modelConformance } from "@spfunctions/kernel/conformance";
import { describe, expect, test } from "vitest";
import { messagesFormat } from "../../../test/messages-format.ts";
import { openModel } from "../../../test/model-provider.ts";
import { anthropic } from "./anthropic.ts";

describe("a model behind the messages API keeps what every model promises", () => {
  const open = () => openModel(messagesFormat, (place) => anthropic({ model: "m", ...place }));

  test.each(modelConformance(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
