// A tool's function can be reached through the judge alone: "no executor is reachable except through the judge".
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { afterAll, describe, expect, test } from "vitest";
import type { Knocked } from "./knock-on-doors.ts";

const root = resolve(import.meta.dirname, "../../..");
const packages = readdirSync(join(root, "packages"));
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as {
    name: string;
    exports: Record<string, string | Record<string, string>>;
  };
const sources = packages.flatMap((name) =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(file))
    .map((file) => join(root, "packages", name, "src", file)),
);
const short = (file: string) => relative(join(root, "packages"), file);
const executors = join(root, "packages/kernel/src/call/executors.ts");

type Import = { readonly file: string; readonly name: string };

let read:
  | readonly { file: string; text: string; module: ReturnType<typeof parseSync>["module"] }[]
  | undefined;

function modules(): NonNullable<typeof read> {
  read ??= sources.map((file) => {
    const text = readFileSync(file, "utf8");
    return { file, text, module: parseSync(file, text).module };
  });
  return read;
}

/** Every value that files import, export or load from one of them, by its name there; `*` for all of it. */
function importsOf(target: string): Import[] {
  return modules().flatMap(({ file, text, module }) => {
    const isIt = (request: string | undefined) =>
      request?.startsWith(".") === true && resolve(dirname(file), request) === target;
    const imported = module.staticImports
      .filter((one) => isIt(one.moduleRequest.value))
      .flatMap(({ entries }) =>
        // Without names it is loaded for what it does.
        entries.length === 0 ? ["*"] : entries.filter(({ isType }) => !isType).map(nameOf),
      );
    const passedOn = module.staticExports
      .flatMap(({ entries }) => entries)
      .filter((one) => !one.isType && isIt(one.moduleRequest?.value))
      .map(nameOf);
    const loaded = module.dynamicImports
      .filter(({ moduleRequest: { start, end } }) => text.slice(start, end).includes(basename(target, ".ts")))
      .map(() => "*");
    return [...imported, ...passedOn, ...loaded].map((name) => ({ file: short(file), name }));
  });
}

function nameOf({ importName }: { readonly importName: { readonly name: string | null } }): string {
  return importName.name ?? "*";
}

function importersByName(target: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { file, name } of importsOf(target)) (found[name] ??= []).push(file);
  return found;
}

function exportsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, "utf8"));
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType }) => !isType)
    .map(({ exportName }) => exportName.name ?? "*")
    .toSorted();
}

/** What must not be exported by any package. */
const doors = new Set([
  "execute",
  "permit",
  "reconcile",
  "bindExecutor",
  "effectCall",
  "readCall",
  "executeTool",
  "GovernedCalls",
  "askApproval",
  "goOn",
  "recoverAccount",
  "recoverSegment",
  "runApproved",
  "sendAgain",
  "settlePending",
  "settleWaiting",
]);

describe("in the source", () => {
  // proves KEY-2.1
  // proves PORT-9.12
  test("the map of functions and the permits are named in one file, which gives out neither", () => {
    const text = readFileSync(executors, "utf8");
    expect(text).toMatch(/^const executors = new WeakMap/m);
    expect(text).toMatch(/^const permits = new WeakSet/m);
    expect(exportsOf(executors)).toStrictEqual([
      "answeredAt",
      "bindExecutor",
      "canBeAnswered",
      "canReconcile",
      "earlierCallOf",
      "execute",
      "idempotencyOf",
      "isBound",
      "isElsewhere",
      "permit",
      "reconcile",
      "seesItThrough",
      "timeLimitOf",
    ]);
  });

  // proves PORT-5.9, PORT-13.4
  test("what that file gives out is used where it is expected, and nowhere else", () => {
    expect(importersByName(executors)).toStrictEqual({
      answeredAt: ["kernel/src/call/answered-elsewhere.ts"],
      bindExecutor: ["kernel/src/tool/described-tool.ts", "kernel/src/tool/make-tool.ts"],
      canBeAnswered: ["kernel/src/call/wait-elsewhere.ts"],
      canReconcile: ["kernel/src/recovery/plan-recovery.ts"],
      earlierCallOf: ["kernel/src/call/ask-approval.ts"],
      execute: ["kernel/src/call/effect-call.ts", "kernel/src/recovery/settle-pending.ts"],
      idempotencyOf: ["kernel/src/call/effect-call.ts", "kernel/src/call/execute-tool.ts"],
      isBound: ["kernel/src/tool/registry.ts"],
      isElsewhere: ["kernel/src/call/execute-tool.ts"],
      permit: ["kernel/src/call/effect-call.ts", "kernel/src/recovery/settle-pending.ts"],
      reconcile: ["kernel/src/recovery/settle-pending.ts"],
      seesItThrough: [
        "kernel/src/call/execute-tool.ts",
        "kernel/src/recovery/plan-recovery.ts",
        "kernel/src/run/driver/run-calls.ts",
      ],
      timeLimitOf: ["kernel/src/call/execute-tool.ts"],
    });
  });

  /** Each way goes through the judge: a call that is allowed, one that a person has approved, one that is sent again. */
  // proves RUN-4.8
  test.each<[string, Record<string, string[]>]>([
    [
      "call/execute-tool.ts",
      { executeTool: ["kernel/src/call/effect-call.ts", "kernel/src/recovery/settle-pending.ts"] },
    ],
    [
      "call/effect-call.ts",
      {
        effectCall: [
          "kernel/src/call/governed-calls.ts",
          "kernel/src/call/run-approved.ts",
          "kernel/src/call/send-again.ts",
        ],
        readCall: ["kernel/src/call/governed-calls.ts"],
      },
    ],
    [
      "call/run-approved.ts",
      {
        runApproved: ["kernel/src/call/ask-approval.ts", "kernel/src/call/wait-for-approval.ts"],
        wantedOf: [
          "kernel/src/call/ask-approval.ts",
          "kernel/src/call/check-call.ts",
          "kernel/src/call/wait-for-approval.ts",
        ],
      },
    ],
    ["call/send-again.ts", { sendAgain: ["kernel/src/call/wait-for-approval.ts"] }],
    ["call/ask-approval.ts", { askApproval: ["kernel/src/call/governed-calls.ts"] }],
    [
      "call/wait-for-approval.ts",
      {
        endWaiting: ["kernel/src/recovery/settle-waiting.ts", "kernel/src/run/driver/give-up-call.ts"],
        goOn: ["kernel/src/recovery/settle-waiting.ts"],
        leftWaiting: ["kernel/src/seat/resume-call.ts"],
        waitForApproval: ["kernel/src/call/ask-approval.ts"],
      },
    ],
    [
      "call/governed-calls.ts",
      { GovernedCalls: ["kernel/src/run/driver/run-calls.ts", "kernel/src/seat/seat.ts"] },
    ],
    ["recovery/settle-waiting.ts", { settleWaiting: ["kernel/src/recovery/settle-pending.ts"] }],
    [
      "recovery/settle-pending.ts",
      {
        settlePending: [
          "kernel/src/recovery/recover-account.ts",
          "kernel/src/run/driver/give-up-call.ts",
          "kernel/src/run/driver/run-calls.ts",
        ],
      },
    ],
    [
      "recovery/recover-account.ts",
      {
        recoverAccount: ["kernel/src/seat/seat.ts"],
        recoverSegment: ["kernel/src/seat/left-waiting.ts"],
      },
    ],
  ])("what can run a tool through %s has no other way to it", (file, importers) => {
    const found = importersByName(join(root, "packages/kernel/src", file));
    const sorted = Object.fromEntries(Object.entries(found).map(([name, by]) => [name, by.toSorted()]));
    expect(sorted).toStrictEqual(importers);
  });

  test("whoever runs a call by what a person has answered judges it first", () => {
    for (const file of ["run-approved.ts", "wait-elsewhere.ts"]) {
      const text = readFileSync(join(root, "packages/kernel/src/call", file), "utf8");
      expect(text).toMatch(/await judgeInput\(/);
      expect(text).toMatch(/verdict\.outcome !== "allow"/);
    }
  });
});

// Minutes, where the machine has other things to do as well.
describe("from outside", { timeout: 240_000 }, () => {
  const entries = packages.flatMap((name) => {
    const { name: specifier, exports } = manifestOf(name);
    return Object.keys(exports)
      .filter((entry) => entry !== "./package.json")
      .map((entry) => `${specifier}${entry.slice(1)}`);
  });

  test("packages give out their index files, by name and not by pattern", () => {
    for (const name of packages) {
      for (const [entry, target] of Object.entries(manifestOf(name).exports)) {
        expect(entry).not.toContain("*");
        const files = typeof target === "string" ? [target] : Object.values(target);
        for (const file of files) expect(file).toMatch(/\/(?:index\.(?:ts|js|d\.ts)|package\.json)$/);
      }
    }
    expect(entries).toContain("@spfunctions/kernel");
    expect(entries).toContain("@spfunctions/agent");
  });

  const inner = [
    "@spfunctions/kernel/src/call/executors.ts",
    "@spfunctions/kernel/src/call/executors",
    "@spfunctions/kernel/src/call/effect-call.ts",
    "@spfunctions/kernel/src/index.ts",
    "@spfunctions/kernel/dist/call/executors.js",
    "@spfunctions/kernel/call/executors",
    "@spfunctions/kernel/conformance/../src/call/executors.ts",
    "@spfunctions/kernel/./src/call/executors.ts",
    "@spfunctions/agent/src/govern.ts",
    "@spfunctions/agent/node_modules/@spfunctions/kernel/src/call/executors.ts",
    "@spfunctions/contracts/src/index.ts",
    "@spfunctions/host/src/store/index.ts",
    "@spfunctions/host",
    "@spfunctions/cli/src/run-cli.ts",
  ];
  test.each([["--conditions=source"], []])(
    "no file of a package can be imported past them (%s)",
    (...flags) => {
      const script = `
      import { createRequire } from "node:module";
      const require = createRequire(process.cwd() + "/x.js");
      const codes = [];
      for (const path of ${JSON.stringify(inner)}) {
        codes.push([path, await import(path).then(() => "imported", (error) => error.code)]);
        try { require(path); codes.push([path, "required"]); } catch (error) { codes.push([path, error.code]); }
      }
      console.log(JSON.stringify(codes));`;
      const said = execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", script], {
        cwd: join(root, "packages/agent"),
        encoding: "utf8",
      });
      const codes = JSON.parse(said) as [string, string][];
      expect(codes.filter(([, code]) => code !== "ERR_PACKAGE_PATH_NOT_EXPORTED")).toStrictEqual([]);
      expect(codes.length).toBe(2 * inner.length);
    },
  );

  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-doors-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function knock(
    given: readonly string[],
    policy: "refusing" | "allowing",
    ...only: string[]
  ): Promise<Knocked> {
    const here = mkdtempSync(join(folder, "here-"));
    const child = fork(join(import.meta.dirname, "knock-on-doors.ts"), [given.join(" "), policy, ...only], {
      execArgv: [
        "--conditions=source",
        "--disable-warning=ExperimentalWarning",
        "--unhandled-rejections=none",
      ],
      cwd: here,
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        HOME: here,
        XDG_CONFIG_HOME: here,
        XDG_DATA_HOME: here,
        TMPDIR: here,
      },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    let said: Knocked | undefined;
    child.once("message", (message) => {
      said = message as Knocked;
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (said === undefined) throw new Error(`the process ended with ${code} and said nothing`);
    return said;
  }

  // The contracts apart: what they hold secret once, every message after that would hide.
  const language = entries.filter((entry) => entry.startsWith("@spfunctions/contracts"));
  const others = entries.filter((entry) => !language.includes(entry));

  // proves KEY-2.1
  test.concurrent.each([[language], [others]])(
    "nothing that %s export runs a tool that is refused",
    async (given) => {
      const { exports, knocks, ran } = await knock(given, "refusing");
      expect(ran).toStrictEqual([]);
      expect(knocks).toBeGreaterThan(10_000);
      expect(exports.filter((name) => doors.has(name))).toStrictEqual([]);
    },
  );

  test.concurrent("nothing but call, stream and tools runs one that is allowed", async () => {
    const { exports, members, ran } = await knock(others, "allowing");
    expect(ran).toStrictEqual([]);
    expect(exports).toEqual(expect.arrayContaining(["Seat", "govern", "openPlatform", "SimpleFunctions"]));
    // So much was opened: a seat, what governs, a platform, and a client of one.
    expect(members).toEqual(
      expect.arrayContaining(["resolve", "recover", "fetch", "createKey", "hasApiKey"]),
    );
  });

  test.concurrent.each([
    ["@spfunctions/agent", "call"],
    ["@spfunctions/agent", "stream"],
    ["@spfunctions/agent", "tools"],
    ["@spfunctions/kernel", "call"],
  ])("%s: %s runs one that is allowed, so that a run would have been seen", async (entry, member) => {
    const { ran } = await knock([entry], "allowing", member);
    expect(ran.length).toBeGreaterThan(0);
    for (const stack of ran) expect(stack).toContain("executors.ts");
  });
});
