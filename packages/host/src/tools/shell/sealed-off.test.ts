// In the sandbox there is the root and what the one command needs. Nothing else can be seen, reached or changed.
import { createServer } from "node:net";
import { linkSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { secretOutside, shellDesk } from "../../../test/shell-desk.ts";
import { lookAtProgram } from "./locate-program.ts";
import { innermostOf, lookAtProcess } from "./look-at-process.ts";
import { sandboxLimits } from "./sandbox-limits.ts";
import { openSandbox } from "./sandbox-state.ts";

afterEach(() => void vi.unstubAllEnvs());

// proves LIVE-4.19, LIVE-4.35
describeSandbox("out of the sandbox", () => {
  test("nothing can be read, by any path or link", async () => {
    const { root, outside, run } = shellDesk({ files: { x: "x" } });
    for (const [name, to] of Object.entries({
      absolute: outside,
      relative: "../outside",
      folder: "..",
      top: "/",
      users: "/etc/passwd",
    }))
      symlinkSync(to, join(root, name));
    const commands = [
      "cat /etc/passwd",
      "cat /etc/shadow",
      "cat /proc/self/environ",
      "cat /proc/1/environ",
      "cat /proc/self/mountinfo",
      "cat /sys/class/net/lo/address",
      `cat ${outside}`,
      `cat ${join(root, "x")}`,
      "cat ../outside",
      "cat ../../outside",
      "cat ../../../../../../../../etc/passwd",
      "cat absolute",
      "cat relative",
      "cat users",
      "cat folder/outside",
      "cat top/etc/passwd",
      "cat /sandbox/absolute",
      "grep -r nobody folder/outside /etc /home /root /var /opt",
      "grep -R nobody /sandbox/folder/outside",
      "head -c 10 /dev/mem",
      "head -c 10 /dev/sda",
      "cat /dev/tty",
      "ls /home",
      "ls /root",
      "ls /var /opt /srv /mnt /run /boot /usr/local /usr/sbin /etc",
      "find / -name passwd",
      "find -L . -name outside",
      "stat /etc",
      `diff x ${outside}`,
      "sort /etc/passwd",
      "tail /var/log/dpkg.log",
    ];
    await inTurn(commands, async (cmd) => {
      const { stdout, stderr } = await run(cmd);
      expect([cmd, stdout]).toEqual([cmd, ""]);
      expect(stderr).not.toContain(secretOutside);
    });
  });

  // proves LIVE-4.33
  test("there is the command, what limits it, and their libraries; no shell and no other program", async () => {
    const { run } = shellDesk();
    const { stdout } = await run("find / -type f -o -type c");
    const found = stdout.trim().split("\n");
    expect(found.filter((path) => path.startsWith("/usr/bin/")).toSorted()).toEqual(
      ["/usr/bin/find", "/usr/bin/prlimit", "/usr/bin/timeout"].toSorted(),
    );
    expect(
      found.filter((path) => !/^\/usr\/bin\/|\.so[.\d]*$|^\/usr\/lib\/locale\/C\.utf8\//.test(path)),
    ).toEqual(["/dev/null"]);
    expect((await run("ls /")).stdout.split("\n")).toEqual(
      expect.arrayContaining(["dev", "sandbox", "tmp", "usr"]),
    );
    expect((await run("ls -A /tmp")).stdout).toBe("");
  });

  test("no name of this machine, its user or its folders is told", async () => {
    const { root, run } = shellDesk({ files: { x: "" } });
    const { stdout } = await run("find / -ls");
    for (const told of [root, hostname(), userInfo().homedir].filter((each) => each.length > 3))
      expect(stdout).not.toContain(told);
    expect((await run("stat -c '%U %G' x")).stdout).toBe("UNKNOWN UNKNOWN\n");
    expect((await run("find . -user root")).stderr).toContain("not the name of a known user");
  });

  test("a hard link to what lies outside is the one thing that a root's owner can let in", async () => {
    const { root, outside, run } = shellDesk();
    linkSync(outside, join(root, "linked"));
    expect((await run("cat linked")).stdout).toBe(secretOutside);
  });
});

describeSandbox("a root that has come to be a link", () => {
  test("is no root any more: nothing runs in what it leads to", async () => {
    const { root, run } = shellDesk({ files: { x: "x" } });
    expect((await run("ls")).stdout).toBe("x\n");
    renameSync(root, `${root}-aside`);
    symlinkSync("..", root);
    await expect(run("cat outside")).rejects.toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "no_root" },
    });
  });
});

describeSandbox("what runs in the sandbox", () => {
  // proves LIVE-4.35
  test("has four variables, no network, no powers, limits, and no open file of this process", async () => {
    vi.stubEnv("SF_SECRET_OF_TESTS", "do not tell");
    const server = createServer().listen(0, "127.0.0.1");
    const { root } = shellDesk({ files: { x: "x" } });
    const sandbox = await openSandbox();
    if (!("start" in sandbox)) throw new Error(sandbox.reason);
    const started = sandbox.start({
      root,
      program: await lookAtProgram("tail", "/usr/bin/tail"),
      words: ["-f", "x"],
      timeoutS: 20,
    });
    try {
      await started.heard;
      const pid = innermostOf(started.pid);
      const seen = lookAtProcess(pid);
      expect(seen).toEqual({
        environment: expect.toSatisfy((names: string[]) =>
          names.toSorted().join().startsWith("HOME,LANG,PATH,PWD,TZ"),
        ),
        interfaces: ["lo"],
        sharedNamespaces: [],
        writable: expect.toSatisfy((places: string[]) =>
          places.every((place) => ["/sandbox", "/tmp", "/dev/null"].includes(place)),
        ),
        openFiles: expect.any(Array),
        hasPowers: false,
        memoryBytes: "536870912",
      });
      for (const file of seen.openFiles) expect(file).toMatch(/^\/dev\/null$|^anon_inode:inotify$|\/x$/);
      for (const each of [started.pid, pid])
        expect(readFileSync(`/proc/${each}/environ`, "utf8")).not.toContain("do not tell");
      expect(readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n")).toHaveLength(1);
      expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(
        /cpu time +120 +120[^]*core file size +0 +0[^]*processes +32 +32[^]*open files +64 +64/,
      );
    } finally {
      server.close();
      started.stop();
      await started.ended;
    }
  });

  // proves LIVE-4.19
  test("writes to its root, and nowhere else", async () => {
    const { root } = shellDesk({ files: { x: "x\n" } });
    const sandbox = await openSandbox();
    if (!("start" in sandbox)) throw new Error(sandbox.reason);
    const program = await lookAtProgram("sort", "/usr/bin/sort");
    const write = (to: string) =>
      sandbox.start({ root, program, words: ["-o", to, "x"], timeoutS: 20 }).ended;
    expect(await write("/sandbox/y")).toMatchObject({ exitCode: 0 });
    expect(await write("/tmp/y")).toMatchObject({ exitCode: 0 });
    await inTurn(["/y", "/usr/bin/y", "/usr/bin/sort", "/dev/y", "/lib/y", "/etc/y"], async (to) => {
      expect([to, await write(to)]).toMatchObject([to, { exitCode: 2 }]);
    });
    expect(readdirSync(root).toSorted()).toEqual(["x", "y"]);
  });
});

describe("limits", () => {
  test("are the named ones with what was given in their place", () => {
    expect(sandboxLimits({ outputBytes: 10 })).toEqual({ ...sandboxLimits(), outputBytes: 10 });
  });

  test.each([
    { timeoutS: 121 },
    { outputBytes: 0 },
    { memoryBytes: 1.5 },
    { other: 1 } as object,
    { cpuS: Number.NaN },
  ])("%j is refused", (given) => {
    expect(() => sandboxLimits(given)).toThrow(/limit/);
  });
});
