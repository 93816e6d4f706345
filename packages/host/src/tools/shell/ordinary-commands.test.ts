// What people do all day works, and gives what it always gave.
import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { shellDesk } from "../../../test/shell-desk.ts";

const files = {
  "names.txt": "berta\nanna\ncarl\nanna\n",
  "table.csv": "id,name,sum\n1,anna,10\n2,berta,9\n3,carl,100\n",
  "a;b.txt": "semi;colon\n",
  "with space.txt": "blank\n",
  "-dash.txt": "dash\n",
  "note~": "old\n",
  "wide.txt": "äöü 漢字\n",
  "src/main.ts": "export const answer = 42;\n// TODO: more\n",
  "src/lib/util.ts": "// todo: less\nexport function add() {}\n",
  "src/lib/data.json": '{"a": 1}\n',
  "new.txt": "one\ntwo\nthree\n",
  "old.txt": "one\n2\nthree\n",
  "long.log": Array.from({ length: 50 }, (_, at) => `line ${at + 1}\n`).join(""),
  patterns: "anna\n^c\n",
};

const main = "./src/main.ts";
const util = "./src/lib/util.ts";

/** What is run, what it prints, and with which code it ends where that is not 0. */
const ordinary: readonly (readonly [cmd: string, stdout: unknown, exitCode?: number])[] = [
  ["ls src", "lib\nmain.ts\n"],
  ["ls -la src", expect.stringMatching(/^total \d+\ndrwx.* 1000 1000 .* \.\n/)],
  ["ls -1 src/lib", "data.json\nutil.ts\n"],
  ["ls -R src", "src:\nlib\nmain.ts\n\nsrc/lib:\ndata.json\nutil.ts\n"],
  ["ls --sort=size -r src/lib", "data.json\nutil.ts\n"],
  ["ls -lh --time-style=+%Y names.txt", "-rw-r--r-- 1 1000 1000 21 2020 names.txt\n"],
  ["ls -- -dash.txt", "-dash.txt\n"],
  ["ls 'with space.txt'", "with space.txt\n"],
  ["ls nowhere", "", 2],
  ['"ls" src', "lib\nmain.ts\n"],
  ["cat names.txt", files["names.txt"]],
  ["cat -n new.txt", "     1\tone\n     2\ttwo\n     3\tthree\n"],
  ["cat ./src/lib/data.json", files["src/lib/data.json"]],
  ["cat note~", "old\n"],
  ["cat with\\ space.txt", "blank\n"],
  ["cat 'a;b.txt' -- -dash.txt", "semi;colon\ndash\n"],
  ["cat wide.txt", "äöü 漢字\n"],
  ["cat link.txt", files["names.txt"]],
  ["cat", ""],
  ["head -n 2 names.txt", "berta\nanna\n"],
  ["head -2 names.txt", "berta\nanna\n"],
  ["head -c 5 names.txt", "berta"],
  ["head --lines=-3 names.txt", "berta\n"],
  ["head -qn1 new.txt old.txt", "one\none\n"],
  ["tail -n 2 names.txt", "carl\nanna\n"],
  ["tail -2 long.log", "line 49\nline 50\n"],
  ["tail -n +49 long.log", "line 49\nline 50\n"],
  ["wc -l names.txt", "4 names.txt\n"],
  ["wc -lw new.txt old.txt", " 3  3 new.txt\n 3  3 old.txt\n 6  6 total\n"],
  ["wc -m wide.txt", "7 wide.txt\n"],
  ["grep anna names.txt", "anna\nanna\n"],
  ["grep -n carl names.txt", "3:carl\n"],
  ["grep -c anna names.txt", "2\n"],
  ["grep -rin todo src", expect.stringMatching(/src\/main\.ts:2:\/\/ TODO: more/)],
  [
    "grep -rl --include='*.ts' export src",
    expect.stringMatching(/^src\/(lib\/util|main)\.ts\nsrc\/(lib\/util|main)\.ts\n$/),
  ],
  ['grep "semi;colon" "a;b.txt"', "semi;colon\n"],
  ["grep -E 'anna|carl' names.txt", "anna\ncarl\nanna\n"],
  ['grep -E "(anna|carl)$" names.txt', "anna\ncarl\nanna\n"],
  ["grep '^[abc]a' names.txt", "carl\n"],
  ["grep -P '\\d{3}' table.csv", "3,carl,100\n"],
  ["grep -A1 -B1 -e carl names.txt", "anna\ncarl\nanna\n"],
  ["grep -1 carl names.txt", "anna\ncarl\nanna\n"],
  ["grep -f patterns names.txt", "anna\ncarl\nanna\n"],
  ["grep -v --count anna names.txt", "2\n"],
  ["grep -o '漢.' wide.txt", "漢字\n"],
  ["grep -A0 --no-group-separator -e berta -e carl names.txt", "berta\ncarl\n"],
  ["grep -hA0 --group-separator=== -e berta -e carl names.txt", "berta\n==\ncarl\n"],
  ["grep nobody names.txt", "", 1],
  ["grep -q anna names.txt", ""],
  ["grep x names.txt /dev/null", "", 1],
  ["find . -name '*.ts'", [util, main, ""].join("\n")],
  ["find src -type f -name \\*.json", "src/lib/data.json\n"],
  ["find . -maxdepth 1 -type d", ".\n./src\n"],
  ["find . \\( -name main.ts -o -name util.ts \\) -print", [util, main, ""].join("\n")],
  ["find . ! -name '*.ts' -path './src/*' -type f", "./src/lib/data.json\n"],
  ["find src -size -1k -empty", ""],
  ["find src/main.ts -printf '%f %s\\n'", "main.ts 40\n"],
  ["find . -newermt 2021-01-01 -name names.txt", ""],
  ["find . -mtime +1 -name names.txt", "./names.txt\n"],
  ["sort names.txt", "anna\nanna\nberta\ncarl\n"],
  ["sort --parallel=2 names.txt", "anna\nanna\nberta\ncarl\n"],
  ["sort -u names.txt", "anna\nberta\ncarl\n"],
  ["sort -t, -k3,3n table.csv", "id,name,sum\n2,berta,9\n1,anna,10\n3,carl,100\n"],
  ["sort -rn -t ',' -k 3 table.csv", "3,carl,100\n1,anna,10\n2,berta,9\nid,name,sum\n"],
  ["uniq -c new.txt", "      1 one\n      1 two\n      1 three\n"],
  ["uniq names.txt", files["names.txt"]],
  ["cut -d, -f2 table.csv", "name\nanna\nberta\ncarl\n"],
  ["cut -c1-3 names.txt", "ber\nann\ncar\nann\n"],
  ["cut -d ',' --complement -f 1,2 table.csv", "sum\n10\n9\n100\n"],
  ["echo hello world", "hello world\n"],
  ["echo 'a   b' \"c\"d", "a   b cd\n"],
  ["echo -n no end", "no end"],
  ["echo --output=x -exec", "--output=x -exec\n"],
  ["pwd", "/sandbox\n"],
  ["date -u -d @0 +%Y-%m-%dT%H:%M:%S", "1970-01-01T00:00:00\n"],
  ["date -d 2024-02-29 -I", "2024-02-29\n"],
  ["date --date='2024-01-01 + 3 days' '+%a %d %b'", "Thu 04 Jan\n"],
  ["date -r names.txt +%Y", "2020\n"],
  ["date +%Z", "UTC\n"],
  ["date -d @0 --rfc-2822", "Thu, 01 Jan 1970 00:00:00 +0000\n"],
  ["stat -c '%s %F' names.txt", "21 regular file\n"],
  ["stat --format=%a src", "755\n"],
  ["diff new.txt old.txt", "2c2\n< two\n---\n> 2\n", 1],
  [
    "diff -u --label a --label b new.txt old.txt",
    "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    1,
  ],
  ["diff -q new.txt names.txt", "Files new.txt and names.txt differ\n", 1],
  ["diff -rq src src", ""],
];

describeSandbox("ordinary commands", () => {
  // proves LIVE-4.19
  test("print what they always print", async () => {
    const { root, run } = shellDesk({ files });
    symlinkSync("names.txt", join(root, "link.txt"));
    utimesSync(join(root, "names.txt"), new Date("2020-06-01"), new Date("2020-06-01"));
    expect(ordinary.length).toBeGreaterThan(60);
    await inTurn(ordinary, async ([cmd, stdout, exitCode = 0]) => {
      const { durationMs, ...result } = await run(cmd);
      const isFind = cmd.startsWith("find");
      expect([cmd, { ...result, stdout: isFind ? lines(result.stdout) : result.stdout }]).toEqual([
        cmd,
        {
          exitCode,
          stdout: isFind ? lines(stdout as string) : stdout,
          stderr: cmd === "ls nowhere" ? "ls: cannot access 'nowhere': No such file or directory\n" : "",
          truncated: false,
          timedOut: false,
          sandbox: "full",
        },
      ]);
      expect(durationMs).toBeGreaterThan(0);
    });
  });

  test("eight at once", async () => {
    const { run } = shellDesk({ files });
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) => run(`head -n ${at + 1} long.log`)),
    );
    expect(results.map(({ stdout }) => lines(stdout).length - 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("what is no UTF-8 is replaced, and a mark at the beginning stays", async () => {
    const { run } = shellDesk({ files: { mark: "\ufeffa" } });
    expect((await run("cat mark")).stdout).toBe("\ufeffa");
    expect((await run("echo -e '\\xff\\xfea'")).stdout).toBe("\ufffd\ufffda\n");
  });
});

describe.skipIf(process.platform !== "linux")("file", () => {
  test("tells what a file is, where it is installed", async () => {
    const { run } = shellDesk({ files });
    const told = await run("file -b names.txt").catch((error: Error) => error.message);
    expect(told).toSatisfy((each: typeof told) =>
      typeof each === "string" ? each.includes("is not installed") : each.stdout === "ASCII text\n",
    );
  });
});

function lines(text: string): string[] {
  return text.split("\n").toSorted();
}
