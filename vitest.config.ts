import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Processes that tests start compile what they import once for all of them.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

// Packages import each other's TypeScript through the `source` export condition.
const conditions = ["source", ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "proofs/**/*.test.ts",
      "tests/**/*.test.ts",
    ],
    globalSetup: "tests/installed/install-packages.mjs",
    testTimeout: 60_000,
    // Of what starts a server of its own, too.
    hookTimeout: 60_000,
    // Files share a worker's modules: a test that leaves something behind takes it away itself.
    isolate: false,
    // Thousands of small stores are made and let go: with more room for the young, less is collected twice.
    execArgv: ["--max-semi-space-size=64"],
    // Two also where there are two cores: much of a test is waiting for another process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
