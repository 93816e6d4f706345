export type { CliIo } from "./io/cli-io.ts";
export { runCli } from "./run-cli.ts";
