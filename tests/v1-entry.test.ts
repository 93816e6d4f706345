// The entry criteria of the runtime: each names its proof, and the proof is there.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./package-graph.ts";

const page = "docs/decisions/v1-entry.md";
const rows = readFileSync(join(root, page), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, criterion, proofs] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    return criterion === undefined || criterion === "criterion" ? [] : [[criterion, proofs ?? ""] as const];
  });

// proves RUN-15.1, RUN-15.10
test("the nine of the source, in its words", () => {
  expect(rows.map(([criterion]) => criterion)).toStrictEqual([
    "v0 direct runner is package-stable",
    "SDK preflight is stable",
    "strict manifest drift guards pass",
    "trace redaction and replay tests pass",
    "CLI/direct parity tests pass",
    "alpha release checklist exists",
    "model adapter interface is approved",
    "tool selection plan is approved",
    "session and approval plan is approved",
  ]);
});

describe.each(rows)("%s", (_, proofs) => {
  /** Each file with the names of the tests that are quoted after it. */
  const named = [...proofs.matchAll(/\]\(([^)]+)\)([^[]*)/g)].map(([, link = "", after = ""]) => ({
    file: join(root, dirname(page), link),
    names: [...after.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
  }));

  // proves RUN-15.1, RUN-15.2, RUN-15.3, RUN-15.4, RUN-15.5, RUN-15.6, RUN-15.7, RUN-15.8, RUN-15.9
  test("has a proof, and every test that is named is where it says", () => {
    expect(named.length).toBeGreaterThan(0);
    const missing = named.flatMap(({ file, names }) => {
      const text = existsSync(file) ? readFileSync(file, "utf8") : "";
      return text === "" ? [file] : names.filter((name) => !text.includes(name));
    });
    expect(missing).toStrictEqual([]);
  });
});
