import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { edgesOf, packageNames, resolveRelative, root, shortPath, sourcesOf } from "./package-graph.ts";

/** Which package may import which of our packages, and which outside modules. The drawing is in docs/architecture.md. */
const allowed: Record<string, { packages: readonly string[]; outside: readonly string[] }> = {
  contracts: { packages: [], outside: ["zod", "@noble/hashes"] },
  kernel: { packages: ["contracts"], outside: ["ajv", "ajv-formats", "tldts"] },
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

  test("declares exactly the dependencies it imports", () => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    const used = sources
      .flatMap(edgesOf)
      .flatMap(({ to }) => /^(?:@[^/]+\/)?[^./#][^/]*/.exec(to)?.[0] ?? [])
      .filter((module) => !module.startsWith("node:"));
    expect(new Set(Object.keys(manifest.dependencies))).toEqual(new Set(used));
    expect(manifest.private).toBe(true);
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
