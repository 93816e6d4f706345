import { describe } from "vitest";
import { sandboxState } from "../src/tools/shell/sandbox-state.ts";

const state = await sandboxState();

/** Tests that run commands. Where there is no sandbox they are skipped and the reason is in their name; with `CI` set they fail instead. */
export function describeSandbox(name: string, tests: () => void): void {
  const missing = state.state === "off" ? state.reason : "";
  const isSkipped = missing !== "" && process.env.CI === undefined;
  if (isSkipped) console.warn(`skipped: ${name}: ${missing}`);
  describe.skipIf(isSkipped)(`${name}${isSkipped ? ` (${missing})` : ""}`, () => {
    tests();
  });
}
