// The examples in a command's help, run as they stand there: pipes and files included, ids replaced by ones that there are.
import type { Home, Ran } from "./run-sf.ts";

export type ExampleRun = { readonly example: string; readonly code: number; readonly err: string };

/** Runs what `sf <command> --help` shows, one after the other, and says how each ended. */
export async function runExamples(
  home: Home,
  command: readonly string[],
  ids: Readonly<Record<string, string>> = {},
): Promise<ExampleRun[]> {
  const { out } = await home.run([...command, "--help"]);
  const examples = [...out.matchAll(/^ {2}\$ (sf .*)$/gm)].map(([, example = ""]) => example);
  const runs: ExampleRun[] = [];
  for (const example of examples) {
    const { code, err } = await runExample(home, withIds(example, ids));
    runs.push({ example, code, err });
  }
  return runs;
}

async function runExample(home: Home, example: string): Promise<Ran> {
  const [commands = "", file] = example.split(" > ");
  let ran: Ran = { code: 0, out: "", err: "" };
  for (const one of commands.split(" | ")) {
    const [, ...argv] = wordsIn(one);
    ran = await home.run(argv, { input: ran.out });
  }
  if (file !== undefined) home.write(file, ran.out);
  return ran;
}

/** As a shell takes them: what stands in quotes is one word. */
function wordsIn(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}

function withIds(example: string, ids: Readonly<Record<string, string>>): string {
  return example.replaceAll(
    /\b(seg|run|call|appr|grant|cap)_019[0-9a-f][0-9a-f-]+/g,
    (id, kind: string) => ids[kind] ?? id,
  );
}
