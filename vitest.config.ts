import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Processes that tests start compile what they import once for all of them; workers do, too.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

export default defineConfig({
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
    // Node itself loads sources and tests, as it does for whoever runs them: nothing is mocked, so that nothing has to be transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Files share a worker's modules: a test that leaves something behind takes it away itself.
    isolate: false,
    // Packages import each other's TypeScript through this export condition.
    execArgv: ["--conditions=source"],
    // Two also where there are two cores: much of a test is waiting for another process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
