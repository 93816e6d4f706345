import type { CliIo } from "../io/cli-io.ts";
import type { Printer } from "../io/printer.ts";

/** What a command works with. */
export type CommandContext = {
  readonly io: CliIo;
  readonly print: Printer;
  /** Tells how it ended. */
  readonly exit: (code: number) => void;
};
