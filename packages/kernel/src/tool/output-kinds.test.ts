import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";

const facts = {
  description: "Reads.",
  input: z.strictObject({}),
  output: z.unknown(),
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
} as const;

test("a tool whose function is a generator is warned of once, where it is defined", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const define = (name: string, run: () => unknown) => defineTool({ ...facts, name, run });
  define("pages.plain", () => ["a"]);
  define("pages.later", async () => await Promise.resolve(["a"]));
  expect(warn).not.toHaveBeenCalled();
  for (const name of ["pages.walk", "pages.walk", "pages.stream"])
    define(
      name,
      name === "pages.walk"
        ? function* () {
            yield "a";
          }
        : async function* () {
            yield await Promise.resolve("a");
          },
    );
  expect(warn.mock.calls.map(([message]) => message)).toStrictEqual([
    expect.stringContaining("the function of the tool pages.walk is a generator"),
    expect.stringContaining("the function of the tool pages.stream is a generator"),
  ]);
});
