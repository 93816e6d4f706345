// B27: each of these was a way into somebody's shell. Here each is refused, and nothing outside is touched.
import { createServer } from "node:net";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { injections } from "../../../test/injections.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { secretOutside, shellDesk } from "../../../test/shell-desk.ts";

const canary = join(tmpdir(), `sf-canary-${process.pid}`);

describeSandbox("B27: what is not one plain command", () => {
  // proves LIVE-4.20, LIVE-4.21, LIVE-4.34
  test("is refused: injections of every kind, and no canary is touched", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { root, outside, run } = shellDesk({ files: { x: "x", f: "f", a: "a", b: "b" } });
    const all = injections(canary, port);
    expect(new Set(all).size).toBeGreaterThan(500);
    await inTurn(all, async (cmd) => {
      const code = await run(cmd).then(
        (result) => result,
        (error: unknown) => (isSimpleFunctionsError(error) ? error.code : error),
      );
      expect([cmd, code]).toEqual([cmd, "sandbox_denied"]);
    });
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(outside, "utf8")).toBe(secretOutside);
    expect(readdirSync(root).toSorted()).toEqual(["a", "b", "f", "x"]);
    expect(connections).toBe(0);
  });

  test("or is run, whatever the text: with an answer or an error of ours, and no canary is touched", async () => {
    const { root, outside, run } = shellDesk({ files: { x: "x", f: "f" } });
    const names = [
      "ls",
      "cat",
      "find",
      "sort",
      "grep",
      "echo",
      "uniq",
      "tail",
      "diff",
      "file",
      "date",
      "stat",
    ];
    const pieces = fc.oneof(
      fc.constantFrom("x", "f", ".", "/", "-", "--", "-o", "-la", "-exec", ";", "|", "'a b'", '"', "$x", "*"),
      fc.constantFrom(`--output=${canary}`, canary, outside, `>${canary}`, "\\;", "-print", "-name", "-n1"),
      fc.string({ maxLength: 4 }),
    );
    const shellish = fc
      .tuple(fc.constantFrom(...names), fc.array(pieces, { maxLength: 4 }))
      .map(([name, words]) => [name, ...words].join(" "));
    const texts = fc.oneof(
      { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
      { weight: 3, arbitrary: shellish },
    );
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (cmd) => {
        try {
          const { stdout } = await run(cmd, { timeout_s: 5 });
          ran += 1;
          expect(stdout).not.toContain(secretOutside);
        } catch (error) {
          if (!isSimpleFunctionsError(error)) throw error;
        }
      }),
      { numRuns: 120 },
    );
    expect(ran).toBeGreaterThan(10);
    expect(existsSync(canary)).toBe(false);
    expect(readFileSync(outside, "utf8")).toBe(secretOutside);
    expect(readdirSync(root).toSorted()).toEqual(["f", "x"]);
  });
});
