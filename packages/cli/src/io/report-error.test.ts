import { type ErrorCode, errorCodes, errorFor, errorHelp, NotFoundError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { badUsage } from "../command-line/bad-usage.ts";
import { createPrinter } from "./printer.ts";
import { printError } from "./report-error.ts";

function printed(error: Parameters<typeof printError>[1]): string[] {
  let text = "";
  const write = (part: string) => void (text += part);
  const print = createPrinter({
    stdin: process.stdin,
    cwd: ".",
    signal: AbortSignal.any([]),
    stdout: write,
    stderr: write,
    isTerminal: { stdout: false, stderr: false },
    env: {},
  });
  printError(print, error, {});
  return text.trimEnd().split("\n");
}

describe("below an error stands what to do", () => {
  const helped = ["contract_violation", "journal_corrupt", "not_found", "provider_failed"] as const;
  const others = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => code !== "upstream_error" && !helped.some((one) => one === code),
  );

  test.each(helped)("%s: by its code, where its message only says what was wrong", (code) => {
    const [, help] = printed(errorFor(code, "it is broken"));
    expect(help).toBe(`  what to do: ${errorHelp[code].doNow.replaceAll("`", "")}`);
  });

  test.each([
    ["never", "Do not try again as it is"],
    ["safe", "Try again"],
    ["after_wait", "Try again later"],
    ["after_user_action", "Change what is wrong before trying again"],
  ] as const)("upstream_error: as its own retry says, %s", (retry, advice) => {
    const [, help] = printed(errorFor("upstream_error", "it is broken", { retry }));
    expect(help).toBe(`  what to do: ${advice}; the journal and the log of where it runs say why.`);
  });

  test.each([
    new NotFoundError("there is no run of this id; sf runs ls lists them"),
    new NotFoundError("There is no such run. Name another"),
    new NotFoundError("there is no such tool", { details: { suggestions: ["world.read"] } }),
    badUsage("--limit is no number"),
    ...others.map((code) => errorFor(code, `${code} says it itself: do this`)),
  ])("$message: nothing more, where that is said already", (error) => {
    expect(printed(error).filter((line) => line.includes("what to do:"))).toStrictEqual([]);
  });
});
