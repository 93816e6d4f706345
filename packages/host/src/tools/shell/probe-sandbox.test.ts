// The sandbox is `full` after it was tried and held. Anything else is `off`, says why, and what to do; then nothing runs.
import { fork, type ForkOptions } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { shellDesk } from "../../../test/shell-desk.ts";
import type { ShellOrder } from "../../../test/shell-process.ts";
import type { ShellResult } from "./exec-command.ts";
import { whyOff } from "./sandbox-remedy.ts";
import { openSandbox, type SandboxState, sandboxState } from "./sandbox-state.ts";

/** A folder with the machine's programs, but this instead of its bwrap. */
function programs({ without = "", bwrap }: { readonly without?: string; readonly bwrap?: string }): string[] {
  const folder = dataFolder();
  for (const name of ["prlimit", "timeout", "tail", "sort", "bwrap"].filter((each) => each !== without)) {
    const path = join(folder, name);
    if (name !== "bwrap" || bwrap === undefined) symlinkSync(`/usr/bin/${name}`, path);
    else
      writeFileSync(path, `#!/bin/bash\n[ "$1" = --version ] && exec echo fake\n${bwrap}\n`, { mode: 0o755 });
  }
  return [folder];
}

/** A bwrap that changes what it was told before it does it. */
function changing(cases: string): string {
  return `a=(); while [ $# -gt 0 ]; do case "$1" in
    ${cases}
    --) a+=("$@"); break;;
    *) a+=("$1");;
  esac; shift; done
  exec /usr/bin/bwrap "\${a[@]}"`;
}

/** A process that tells the state of its sandbox. */
function startProcess(options: ForkOptions) {
  const child = fork(join(import.meta.dirname, "../../../test/shell-process.ts"), {
    execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"],
    ...options,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const says = (words: string) => `echo "${words}" >&2; exit 1`;

describe.skipIf(process.platform !== "linux")(
  "a sandbox that cannot be had is off, and says what to do:",
  () => {
    test.each([
      ["no bwrap", { without: "bwrap" }, "bwrap is not installed", "apt-get install bubblewrap"],
      ["no prlimit", { without: "prlimit" }, "prlimit is not installed", "apt-get install util-linux"],
      ["no timeout", { without: "timeout" }, "timeout is not installed", "apt-get install coreutils"],
      [
        "no namespaces",
        {
          bwrap: says(
            "bwrap: No permissions to create new namespace, likely because the kernel does not allow it",
          ),
        },
        "does not let this user make namespaces (bwrap: No permissions",
        "",
      ],
      ["an old one", { bwrap: says("bwrap: Unknown option --size") }, "too old", "bubblewrap 0.8 or newer"],
      [
        "another fault",
        { bwrap: says("bwrap: out of luck") },
        "does not start (bwrap: out of luck)",
        "container",
      ],
      ["one that says nothing", { bwrap: "exit 0" }, "its root cannot be read in it", "reinstall bubblewrap"],
      ["one that is no program", { bwrap: "exec /nowhere" }, "does not start", ""],
    ])("%s", async (_, fake, reason, remedy) => {
      expect(await sandboxState({ folders: programs(fake) })).toEqual({
        state: "off",
        reason: expect.stringContaining(reason),
        remedy: expect.stringContaining(remedy),
      });
    });

    // proves LIVE-4.36
    test("and no command is started", async () => {
      const { run } = shellDesk({ folders: programs({ without: "bwrap" }) });
      await expect(run("ls")).rejects.toMatchObject({
        code: "sandbox_denied",
        details: { tool: "shell.exec", reason: "sandbox_off" },
        message: expect.stringMatching(/no command runs without its sandbox: .* apt-get install bubblewrap/),
      });
    });

    test("another system than Linux", async () => {
      const platform = vi.spyOn(process, "platform", "get").mockReturnValue("darwin");
      try {
        expect(await sandboxState({ again: true, folders: ["/nowhere"] })).toMatchObject({
          state: "off",
          reason: "the sandbox needs Linux",
        });
      } finally {
        platform.mockRestore();
      }
    });
  },
);

describe("who forbids namespaces is named:", () => {
  const said = "bwrap: setting up uid map: Permission denied";

  test.each([
    ["kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"],
    ["user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces"],
    ["kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor profile"],
  ])("%s", (setting, value, remedy) => {
    expect(whyOff(said, (file) => (file === setting ? value : undefined)).remedy).toContain(remedy);
  });

  test.each([
    said,
    "bwrap: Creating new namespace failed: Operation not permitted",
    "bwrap: No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces.",
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    "bwrap: Failed to make / slave: Permission denied",
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
  ])("a container, where no setting does: %s", (words) => {
    expect(whyOff(words, () => undefined)).toEqual({
      reason: `the machine does not let this user make namespaces (${words})`,
      remedy: expect.stringContaining("--security-opt seccomp=unconfined"),
    });
  });
});

test.each([
  "prlimit: failed to set the AS resource limit: Operation not permitted",
  "timeout: fork system call failed: Resource temporarily unavailable",
])("limits that cannot be kept are said: %s", (words) => {
  expect(whyOff(words)).toEqual({
    reason: `the limits of a command cannot be kept here (${words})`,
    remedy: expect.stringContaining("the tool's limits"),
  });
});

test.each([
  "spawn /usr/bin/bwrap EMFILE",
  "spawn /usr/bin/bwrap EAGAIN",
  "this program has too many open files",
])("what is short for a while is said: %s", (words) => {
  expect(whyOff(words)).toEqual({
    reason: `the sandbox does not start just now (${words})`,
    remedy: expect.stringContaining("call again when less is going on"),
  });
});

// proves LIVE-4.36
describeSandbox("a sandbox with a hole is off:", () => {
  test.each([
    [
      "none at all",
      `while [ "$1" != -- ]; do shift; done; shift; exec "$@"`,
      "files outside of it can be read in it",
    ],
    [
      "the machine's /tmp",
      changing(`--size) shift;; --tmpfs) a+=(--bind /tmp /tmp); shift;;`),
      "files outside of it can be read in it",
    ],
    [
      "a network",
      changing(`--unshare-all) a+=(--unshare-ipc --unshare-pid --unshare-uts);;`),
      isNetworkAlone() ? "it shares namespaces (net)" : "it has a network",
    ],
    [
      "shared memory",
      changing(`--unshare-all) a+=(--unshare-net --unshare-pid --unshare-uts);;`),
      "it shares namespaces (ipc)",
    ],
    [
      "variables",
      `export SECRET=1\n${changing("--clearenv) ;;")}`,
      "variables of this program are set in it (SECRET",
    ],
    ["another place to write to", changing(`--remount-ro) shift;;`), "it can be written to in other places"],
    ["a root that is read-only", changing(`--bind) a+=(--ro-bind);;`), "its root cannot be written to in it"],
    ["powers", changing(`--cap-drop) a+=(--cap-add);;`), "it has powers of root"],
    [
      "no limit",
      changing('--) shift; while [ "$1" != -- ]; do shift; done; a+=("$@"); break;;'),
      "has no limit",
    ],
    ["an open file", `exec 9</etc/passwd\n${changing("never) ;;")}`, "files of this program are open in it"],
  ])("%s", async (_, bwrap, reason) => {
    const state = await sandboxState({ folders: programs({ bwrap }) });
    expect(state).toEqual({
      state: "off",
      reason: expect.stringContaining(reason),
      remedy: expect.stringContaining("reinstall bubblewrap"),
    });
  });

  test("and one without is full", async () => {
    expect(await sandboxState({ folders: programs({ bwrap: changing("never) ;;") }) })).toEqual({
      state: "full",
      version: "fake",
    });
  });
});

describeSandbox("the sandbox of this machine", () => {
  test("is full, and says its version", async () => {
    expect(await sandboxState()).toEqual({ state: "full", version: expect.stringMatching(/^bubblewrap \d/) });
  });

  test("is tried once, and again when asked to", async () => {
    const folders = programs({});
    expect(openSandbox({ folders })).toBe(openSandbox({ folders }));
    const before = openSandbox({ folders });
    expect(openSandbox({ folders, again: true })).not.toBe(before);
    expect(openSandbox({ folders, limits: { cpuS: 3 } })).not.toBe(openSandbox({ folders }));
    await openSandbox({ folders });
  });

  test("that could not be had is tried again with the next call", async () => {
    const [folder = ""] = programs({ without: "bwrap" });
    const { run } = shellDesk({ files: { x: "x" }, folders: [folder] });
    await expect(run("cat x")).rejects.toMatchObject({ details: { reason: "sandbox_off" } });
    symlinkSync("/usr/bin/bwrap", join(folder, "bwrap"));
    expect(await run("cat x")).toMatchObject({ stdout: "x", sandbox: "full" });
  });

  test("passes on nothing that this process was itself started with", async () => {
    const open = openSync("/etc/passwd", "r");
    const unused = Array.from({ length: 36 }, () => "ignore" as const);
    const child = startProcess({ stdio: ["ignore", "ignore", "inherit", "ipc", ...unused, open] });
    closeSync(open);
    expect((await once(child, "message"))[0]).toMatchObject({ state: "full" });
  });

  const whyNot = whyNotAsNobody();
  test.skipIf(whyNot !== undefined)(
    `works for an ordinary user, or says why not${whyNot === undefined ? "" : ` (${whyNot})`}`,
    async () => {
      const folder = dataFolder();
      const root = join(folder, "root");
      mkdirSync(root);
      for (const each of [folder, root]) chmodSync(each, 0o755);
      writeFileSync(join(root, "x"), "read by nobody\n");
      const child = startProcess({ uid: 65_534, gid: 65_534, env: { HOME: "/nonexistent" } });
      const [state] = (await once(child, "message")) as [SandboxState];
      child.send({ root, commands: ["cat x"] } satisfies ShellOrder);
      const [told] = (await once(child, "message")) as [unknown];
      expect([state, told]).toSatisfy(
        () =>
          (state.state === "full" && (told as ShellResult).stdout === "read by nobody\n") ||
          (state.state === "off" &&
            state.reason.includes("namespaces") &&
            String(told).includes(state.remedy)),
      );
    },
  );
});

/** Whether this machine has no network to be seen. */
function isNetworkAlone(): boolean {
  return readdirSync("/sys/class/net").join() === "lo";
}

function whyNotAsNobody(): string | undefined {
  if (process.getuid?.() !== 0) return "these tests are run by one";
  return isOpenToAll() ? undefined : "nobody but root can read these files";
}

/** Whether anybody can read these files. */
function isOpenToAll(folder = import.meta.dirname): boolean {
  const parent = join(folder, "..");
  return (statSync(folder).mode & 0o5) === 0o5 && (parent === folder || isOpenToAll(parent));
}
