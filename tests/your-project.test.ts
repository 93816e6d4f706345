// What docs/your-project.md says, done: in a folder outside of this repository, with nobody's home.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "./package-graph.ts";

const page = readFileSync(join(root, "docs/your-project.md"), "utf8");
const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ?? "";

const home = mkdtempSync(join(tmpdir(), "simplefunctions-project-"));
const project = join(home, "project");
mkdirSync(project);
afterAll(() => rmSync(home, { recursive: true }));

/** What others publish is linked from here, too, so that no network is needed. */
const linked = (name: string) => join(root, "node_modules", name);

function sh(script: string): string {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: home,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
  return execFileSync("sh", ["-e"], { cwd: project, env, input: script, encoding: "utf8", stdio: "pipe" });
}
const inClone = `export PATH="${join(root, "node_modules/.bin")}:$PATH"\n`;

test("a project of one's own runs main.ts by the page's four lines", () => {
  copyFileSync(join(root, "examples/readme/main.ts"), join(project, "main.ts"));
  const script = block("sh")
    .replaceAll("<clone>", root)
    .replace(" zod ", ` ${linked("zod")} `);
  expect(sh(script)).toMatch(/^o-17\/refund-o-17 allow sha256:[0-9a-f]{64}$/m);
});

/** Every way in of every package that a project can install. */
const entries = ["agent", "contracts", "host", "kernel", "markets", "sdk", "server"].map((name) => {
  const text = readFileSync(join(root, "packages", name, "package.json"), "utf8");
  const { exports } = JSON.parse(text) as { exports: object };
  const ways = Object.keys(exports).filter((way) => way !== "./package.json");
  return {
    folder: join(root, "packages", name),
    ways: ways.map((way) => `@spfunctions/${name}${way.slice(1)}`),
  };
});

test("its types, and those of everything it imports, are checked with the page's options", () => {
  const packages = entries.map(({ folder }) => folder).join(" ");
  sh(`${inClone}npm install ${packages}\nnpm install -D ${linked("@types/node")}`);
  writeFileSync(join(project, "tsconfig.json"), block("json"));
  const imports = entries.flatMap(({ ways }) => ways).map((way) => `import "${way}";\n`);
  writeFileSync(join(project, "everything.ts"), imports.join(""));
  const main = readFileSync(join(project, "main.ts"), "utf8");
  const wrong = main.replace(
    /^(.*)output\.refundId/m,
    "// @ts-expect-error -- the output has a refundId\n$1output.refund",
  );
  expect(wrong).not.toBe(main);
  writeFileSync(join(project, "wrong.ts"), wrong);
  // It says what is wrong on its standard output, and fails.
  expect(sh(`${inClone}tsc -p . || true`)).toBe("");
});

test("its options name what TypeScript 5.6 to 5.9 needs to walk through Headers", () => {
  const { compilerOptions } = JSON.parse(block("json")) as { compilerOptions: { lib: string[] } };
  expect(compilerOptions.lib).toStrictEqual(["esnext", "dom", "dom.iterable", "dom.asynciterable"]);
});

test("its tests run under vitest with the page's conditions", () => {
  sh(`${inClone}npm install -D ${linked("vitest")} ${linked("vite")}`);
  writeFileSync(join(project, "vitest.config.js"), block("js"));
  // What is imported runs before the test is timed.
  const text = 'import { test } from "vitest";\nimport "./main.ts";\ntest("it runs", () => undefined);\n';
  writeFileSync(join(project, "main.test.ts"), text);
  expect(sh(`${inClone}NO_COLOR=1 vitest run`)).toMatch(/Tests +1 passed/);
});

test("its tools are a pack for sf, and sf says how a pack is to find ours", () => {
  const tool = readFileSync(join(project, "main.ts"), "utf8").split("const principal")[0] ?? "";
  const pack = `${tool.replace(", govern", "")}export const tools = [refund];\n`;
  const explained = `${inClone}sf explain orders.refund --json --pack`;
  writeFileSync(join(project, "tools.ts"), pack);
  expect(JSON.parse(sh(`${explained} ./tools.ts || true`))).toMatchObject({ code: "policy_denied" });
  writeFileSync(join(home, "tools.ts"), pack);
  const lost = JSON.parse(sh(`${explained} ../tools.ts || true`)) as { error: { message: string } };
  expect(lost.error.message).toContain(`npm install ${join(root, "packages/agent")} in the folder`);
});
