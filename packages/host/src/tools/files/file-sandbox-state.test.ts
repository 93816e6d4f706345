import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { fileSandboxState } from "./file-sandbox-state.ts";

test("says of a root what every output of its tools will say", async () => {
  const root = dataFolder();
  expect(await fileSandboxState({ root })).toBe(process.platform === "linux" ? "full" : "reduced");
});

test("of a folder that is not there nothing is said", async () => {
  const root = dataFolder();
  rmSync(root, { recursive: true });
  await expect(fileSandboxState({ root })).rejects.toMatchObject({ code: expect.any(String) as string });
});
