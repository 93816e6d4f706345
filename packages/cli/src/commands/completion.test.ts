import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Home } from "../../test-data/run-sf.ts";

const fish = "fish";
const has = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const zshAsk = join(import.meta.dirname, "../../test-data/ask.zsh");

async function scriptFor(home: Home, shell: string): Promise<string> {
  const { code, out, err } = await home.run(["completion", shell]);
  expect({ code, err }).toStrictEqual({ code: 0, err: "" });
  return home.write(`completion.${shell}`, out);
}

/** What bash would complete on each line, at its end. It takes `=` for a word of its own. */
function inBash(home: Home, script: string, lines: readonly string[]): string[][] {
  const ask = `
    source "$0" || exit 1
    for line in "$@"; do
      COMP_WORDS=() word= rest=$line
      while [[ -n $rest ]]; do
        letter=\${rest:0:1} rest=\${rest:1}
        case $letter in
          ' ') [[ -n $word ]] && COMP_WORDS+=("$word"); word= ;;
          =) COMP_WORDS+=("$word" =) word= ;;
          *) word+=$letter ;;
        esac
      done
      [[ $line == *= ]] || COMP_WORDS+=("$word")
      COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      _sf
      echo "\${COMPREPLY[*]}"
    done`;
  const options = { encoding: "utf8", cwd: home.folder } as const;
  const out = execFileSync("bash", ["--norc", "-uc", ask, script, ...lines], options);
  return out.split("\n").slice(0, lines.length).map(wordsIn);
}

function inFish(home: Home, script: string, lines: readonly string[]): string[][] {
  return lines.map((line) => {
    const ask = `source ${script}; complete -C '${line}'`;
    const options = { encoding: "utf8", cwd: home.folder, env: { ...process.env, ...home.env } } as const;
    const out = execFileSync(fish, ["--no-config", "-c", ask], options);
    return wordsIn(out.replaceAll(/\t.*$/gm, "").replaceAll(/^--\w+=/gm, ""));
  });
}

function inZsh(home: Home, script: string, lines: readonly string[]): string[][] {
  return lines.map((line, at) => {
    const answer = home.path(`zsh-${at}`);
    execFileSync("zsh", ["-f", zshAsk, script, line, answer], { cwd: home.folder, timeout: 20_000 });
    return wordsIn(home.read(`zsh-${at}`)).filter((word) => word !== "END");
  });
}

const wordsIn = (text: string) => [...new Set(text.split(/\s+/).filter((word) => word !== ""))].toSorted();

const asked: readonly (readonly [string, readonly string[]])[] = [
  ["sf keys ", ["create", "help", "ls", "revoke", "rotate"]],
  ["sf keys cr", ["create"]],
  ["sf keys create --sc", ["--scope"]],
  ["sf effects resolve --status ", ["completed", "failed"]],
  ["sf effects resolve --status=", ["completed", "failed"]],
  ["sf effects resolve --status=comp", ["completed"]],
  ["sf effects resolve eff_1 --note keys --st", ["--status", "--store"]],
  ["sf approvals ", ["approve", "deny", "grants", "help", "ls", "revoke", "show"]],
  ["sf approvals ls --status=app", ["approved", "approved_for_session"]],
  ["sf grants ", ["deny", "grant", "help", "ls", "revoke"]],
  ["sf grants grant net --scope ", ["once", "session", "turn", "until"]],
  ["sf completion ", ["bash", "fish", "zsh"]],
  ["sf help doc", ["doctor"]],
  ["sf help keys ", ["create", "ls", "revoke", "rotate"]],
  ["sf keys create --scope ", ["admin", "read", "write"]],
];

describe("sf completion", () => {
  test.skipIf(!has("bash"))("bash completes commands, options and their values (needs bash)", async () => {
    const home = new Home();
    const script = await scriptFor(home, "bash");
    const answers = inBash(
      home,
      script,
      asked.map(([line]) => line),
    );
    expect(asked.map(([line], at) => [line, answers[at]])).toStrictEqual(asked);
    // Where a file may stand it leaves the answer to bash, and a value is never taken for a command.
    expect(
      inBash(home, script, ["sf call --policy ", "sf call --input keys ", "sf trace verify x"]),
    ).toStrictEqual([[], [], []]);
  });

  test.skipIf(!has("bash"))(
    "bash knows every command and every option that the help shows (needs bash)",
    async () => {
      const home = new Home();
      const script = await scriptFor(home, "bash");
      const shownBy = async (path: readonly string[]): Promise<[string[], string[]]> => {
        const { out } = await home.run([...path, "--help"]);
        const section = (name: string) => out.split(`\n${name}:\n`)[1]?.split("\n\n", 1)[0] ?? "";
        const commands = [...section("Commands").matchAll(/^ {2}([\w-]+)/gm)].map(([, word = ""]) => word);
        return [
          commands,
          wordsIn(
            [...section("Options").matchAll(/^ {2}(?:(-\w), )?(--[\w-]+)/gm)]
              .map(([, a = "", b]) => `${a} ${b}`)
              .join(" "),
          ),
        ];
      };
      const walk = async (path: readonly string[]): Promise<[string, string[], string[]][]> => {
        const [commands, options] = await shownBy(path);
        const below = commands.filter((name) => name !== "help").map((name) => walk([...path, name]));
        return [
          [["sf", ...path].join(" "), commands.toSorted(), options],
          ...(await Promise.all(below)).flat(),
        ];
      };
      const shown = await walk([]);
      expect(shown.length).toBeGreaterThan(15);
      const options = inBash(
        home,
        script,
        shown.map(([path]) => `${path} -`),
      );
      expect(shown.map(([path], at) => [path, options[at]])).toStrictEqual(
        shown.map(([path, , all]) => [path, all]),
      );
      const groups = shown.filter(([, commands]) => commands.length > 0);
      const commands = inBash(
        home,
        script,
        groups.map(([path]) => `${path} `),
      );
      expect(groups.map(([path], at) => [path, commands[at]])).toStrictEqual(
        groups.map(([path, all]) => [path, all]),
      );
    },
  );

  test.skipIf(!has("fish"))("fish completes commands, options and their values (needs fish)", async () => {
    const home = new Home();
    const script = await scriptFor(home, "fish");
    const answers = inFish(
      home,
      script,
      asked.map(([line]) => line),
    );
    expect(asked.map(([line], at) => [line, answers[at]])).toStrictEqual(asked);
  });

  test.skipIf(!has("zsh"))("zsh completes commands, options and their values (needs zsh)", async () => {
    const home = new Home();
    const script = await scriptFor(home, "zsh");
    const answers = inZsh(
      home,
      script,
      asked.map(([line]) => line),
    );
    expect(asked.map(([line], at) => [line, answers[at]])).toStrictEqual(asked);
  });

  test("gives the same script as JSON to whoever reads that", async () => {
    const home = new Home();
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, out } = await home.run(["completion", shell, "--json"]);
      const { out: script } = await home.run(["completion", shell]);
      expect([code, JSON.parse(out)]).toStrictEqual([0, { ok: true, shell, script }]);
    }
  });

  test("has a script for each of the three, shows how to keep it, and knows no other shell", async () => {
    const home = new Home();
    const { out } = await home.run(["completion", "--help"]);
    const examples = [...out.matchAll(/^ {2}\$ sf (.*)$/gm)].map(([, line = ""]) => line);
    expect(examples).toStrictEqual(["completion bash", "completion zsh", "completion fish"]);
    for (const shell of ["bash", "zsh", "fish"]) {
      expect(out).toContain(`sf completion ${shell} > ~/`);
      await scriptFor(home, shell);
    }
    const other = await home.run(["completion", "tcsh"]);
    expect({ code: other.code, out: other.out, err: other.err }).toStrictEqual({
      code: 2,
      out: "",
      err: "error invalid_input: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish; see sf completion --help\n",
    });
  });
});
