import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { edgesOf, packageNames, resolveRelative, root, shortPath, sourcesOf } from "./package-graph.ts";

/** Which package may import which of our packages, and which outside modules. The drawing is in docs/architecture.md. */
const allowed: Record<string, { packages: readonly string[]; outside: readonly string[] }> = {
  contracts: { packages: [], outside: ["zod", "@noble/hashes"] },
  kernel: { packages: ["contracts"], outside: ["ajv", "ajv-formats", "re2js", "tldts"] },
  host: { packages: ["contracts", "kernel"], outside: ["pg", "htmlparser2", "unbash", "undici"] },
  markets: { packages: ["contracts", "kernel"], outside: ["zod"] },
  sdk: { packages: ["contracts"], outside: [] },
  agent: { packages: ["contracts", "kernel", "sdk"], outside: [] },
  server: {
    packages: ["contracts", "kernel", "host"],
    outside: ["hono", "@hono/node-server", "jose", "zod"],
  },
  cli: {
    packages: ["contracts", "kernel", "host", "markets", "agent", "sdk", "server"],
    outside: ["commander"],
  },
};

/** The one file of a browser-ready package that may name a module of Node. */
const nodeOnly: Record<string, readonly string[]> = {
  contracts: ["packages/contracts/src/hash/sha256-node.ts"],
  sdk: [],
};

const isTest = (file: string) => /\.test(-d)?\.ts$/.test(file);

describe.each(packageNames())("package %s", (name) => {
  const sources = sourcesOf(name).filter((file) => !isTest(file));

  // proves CHILD-1.1
  // proves KEY-12.3, KEY-12.4, KEY-12.6
  // proves RUN-2.11, RUN-2.12, RUN-3.1, RUN-3.5, RUN-3.6, RUN-3.16, RUN-4.1, RUN-8.4
  // proves PORT-1.1, PORT-1.2
  test("imports only what the drawing allows", () => {
    const rule = allowed[name];
    expect(rule, `${name} is not in the drawing`).toBeDefined();
    const strangers = sources.flatMap(edgesOf).filter(({ from, to }) => {
      if (to.startsWith(".") || to === "#sha256" || to === "#place") return false;
      if (to.startsWith("node:")) return nodeOnly[name]?.includes(shortPath(from)) === false;
      const ours = /^@spfunctions\/([^/]+)/.exec(to)?.[1];
      if (ours !== undefined) return !rule?.packages.includes(ours);
      return !rule?.outside.some((module) => to === module || to.startsWith(`${module}/`));
    });
    expect(strangers).toEqual([]);
  });

  // proves RUN-3.1, RUN-8.4
  test("declares exactly the dependencies it imports", () => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    const used = sources
      .flatMap(edgesOf)
      .flatMap(({ to }) => /^(?:@[^/]+\/)?[^./#][^/]*/.exec(to)?.[0] ?? [])
      .filter((module) => !module.startsWith("node:"));
    expect(new Set(Object.keys(manifest.dependencies))).toEqual(new Set(used));
  });

  // proves KEY-23.5, KEY-24.1, KEY-24.2, KEY-24.3
  // proves RUN-1.1
  test("is private: it cannot be published", () => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    expect(manifest.private).toBe(true);
    expect(manifest).not.toHaveProperty("publishConfig");
    expect(manifest).not.toHaveProperty("scripts");
  });

  // proves KEY-5.1, KEY-24.16
  test("has no key in it: nobody shares one with everybody", () => {
    const files = globSync(["package.json", "README.md", "{src,bin}/**/*"], {
      cwd: join(root, "packages", name),
      withFileTypes: true,
    }).filter((entry) => entry.isFile() && !isTest(entry.name));
    const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.flatMap((text) => text.match(/sf_live_[\w-]{32}/g) ?? [])).toEqual([]);
  });

  test("stays inside its own folder when it imports by path", () => {
    const outside = sources.flatMap(edgesOf).filter((edge) => {
      const target = resolveRelative(edge);
      return target !== undefined && !target.startsWith(join(root, "packages", name, "src"));
    });
    expect(outside).toEqual([]);
  });

  test("has no import cycle, not even of types", () => {
    const graph = new Map(
      sources.map((file) => [file, edgesOf(file).flatMap((edge) => resolveRelative(edge) ?? [])]),
    );
    expect(cycleIn(graph)?.map(shortPath)).toBeUndefined();
  });
});

/** A package and all that it stands on. */
function standingOn(name: string): string[] {
  return [name, ...(allowed[name]?.packages ?? []).flatMap(standingOn)];
}

/** What programs, servers and threads are started or reached with. */
const outward =
  /^node:(?:child_process|cluster|worker_threads|net|tls|dgram|http|https|http2|repl|inspector)\b/;

// proves KEY-12.5, KEY-12.6, KEY-24.15
// proves RUN-1.10, RUN-2.11, RUN-3.3, RUN-3.6, RUN-3.15, RUN-3.17
test.each(["agent", "sdk"])(
  "%s starts no program and no server, and neither does what it stands on",
  (name) => {
    const packages = new Set(standingOn(name));
    const sources = [...packages].flatMap((one) => sourcesOf(one).filter((file) => !isTest(file)));
    expect([packages.has("cli"), sources.length > 50]).toEqual([false, true]);
    const named = sources.flatMap(edgesOf).filter(({ to }) => outward.test(to));
    expect(named.map(({ from, to }) => `${shortPath(from)}: ${to}`)).toEqual([]);
  },
);

/** A file, and every file of its package that it leads to. */
function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const edge of edgesOf(file)) {
    const target = resolveRelative(edge);
    if (target !== undefined) reachedFrom(target, seen);
  }
  return seen;
}

// proves KEY-12.2
test("the direct runner asks no model, and leads to nothing that does", () => {
  const agent = join(root, "packages/agent/src");
  const direct = [...reachedFrom(join(agent, "index.ts"))].map(shortPath);
  expect(direct).toContain("packages/agent/src/platform/simple-functions-agent.ts");
  expect(direct.filter((file) => /\/src\/(?:v1|spectator|testing)\//.test(file))).toEqual([]);
  const named = direct.filter((file) =>
    /\bModelAdapter\b|\.complete\(/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(named).toEqual([]);
});

// proves KEY-24.1, KEY-24.2, KEY-24.3, KEY-24.4
test("no script here publishes a package or sets a version", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  const programs = globSync([".ci/*", "scripts/**/*.{ts,mjs}"], { cwd: root });
  const texts = programs.map((file) => readFileSync(join(root, file), "utf8"));
  const all = [...Object.values(scripts), ...texts];
  expect(programs.length).toBeGreaterThan(4);
  const words =
    /\bnpm (?:publish|version|stage)\b|["']publish["']|\b(?:changeset|semantic-release|release-it|lerna)\b/;
  expect(all.filter((text) => words.test(text))).toEqual([]);
});

// What they have to say goes to whoever embeds them: an event, a log that is given, a warning of Node's, which can be heard.
test.each(packageNames().filter((name) => name !== "cli"))("package %s prints nothing", (name) => {
  const printing = sourcesOf(name).filter(
    (file) =>
      !isTest(file) &&
      /\bconsole\s*[.[]|\bprocess\s*\.\s*(?:stdout|stderr)\b/.test(readFileSync(file, "utf8")),
  );
  expect(printing.map(shortPath)).toEqual([]);
});

test("the drawing has no cycle between packages", () => {
  const graph = new Map(Object.entries(allowed).map(([name, { packages }]) => [name, [...packages]]));
  expect(cycleIn(graph)).toBeUndefined();
});

test("a cycle would be found", () => {
  expect(
    cycleIn(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
  ).toEqual(["b", "c", "b"]);
});

function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): string[] | undefined => {
    const at = path.indexOf(node);
    if (at !== -1) return [...path.slice(at), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = walk(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}
