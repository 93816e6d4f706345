import { answerAtOnce } from "./answer-at-once.ts";

const exit = answerAtOnce(process.argv.slice(2));
if (exit === undefined) {
  const { runProcess } = await import("./run-process.ts");
  // Not waited for: what never comes to an end is told of there.
  void runProcess();
} else process.exitCode = exit;
