// G3: Everything below a public suffix is everybody: for no entry of the list, ICANN's or private, is `net:*.<suffix>` granted or asked for.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { domainToASCII, pathToFileURL } from "node:url";
import { z } from "zod";
import { describe, expect, test } from "vitest";
import type { Capability } from "@spfunctions/contracts";
import { installation } from "../../test-data/call-desk.ts";
import { openNetworkDesk } from "../../test-data/call-network.ts";
import { capabilityKind } from "../store/kernel-kinds.ts";
import { putCapability } from "./kept-capability.ts";
import { publicSuffixList } from "./public-suffix.ts";

const require = createRequire(import.meta.url);
/** The folder of the package that carries the list. */
const folder = join(dirname(require.resolve("tldts")), "../..");
const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8")) as unknown;

const numbers = z.custom<ArrayLike<number>>((value) => ArrayBuffer.isView(value));
const trieSchema = z.object({
  nodeFlags: z.instanceof(Uint8Array),
  edgeStart: numbers,
  edgeLength: numbers,
  edgeChild: numbers,
  labelText: z.string(),
  rulesRoot: z.int(),
  exceptionsRoot: z.int(),
});
type Trie = z.infer<typeof trieSchema>;

/** Every rule below a node of the list, as the list writes it: `co.uk`, `*.ck`. */
function rulesBelow(trie: Trie, root: number): string[] {
  const starts: number[] = [];
  for (let edge = 0, at = 0; edge < trie.edgeLength.length; at += trie.edgeLength[edge++] ?? 0)
    starts.push(at);
  const rules: string[] = [];
  const open = [{ node: root, suffix: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, suffix } = next;
    if (trie.nodeFlags[node] !== 0 && suffix !== "") rules.push(suffix);
    for (let edge = trie.edgeStart[node] ?? 0; edge < (trie.edgeStart[node + 1] ?? 0); edge++) {
      const start = starts[edge] ?? 0;
      const label = trie.labelText.slice(start, start + (trie.edgeLength[edge] ?? 0));
      open.push({ node: trie.edgeChild[edge] ?? 0, suffix: suffix === "" ? label : `${label}.${suffix}` });
    }
  }
  return rules.toSorted();
}

const trie = trieSchema.parse(await import(pathToFileURL(join(folder, "dist/es6/src/data/trie.js")).href));
const rules = rulesBelow(trie, trie.rulesRoot);
const exceptions = rulesBelow(trie, trie.exceptionsRoot);

/** The names that a rule makes public suffixes of, as an address writes them; of a wildcard one, also what stands before it. */
const suffixes = new Set(
  rules
    .flatMap((rule) => (rule.startsWith("*.") ? [rule.slice(2), `anybody.${rule.slice(2)}`] : [rule]))
    .map((rule) => domainToASCII(rule)),
);

async function refusalsOf(ask: (capability: string) => Promise<unknown>): Promise<string[]> {
  const granted: string[] = [];
  for (const suffix of suffixes) {
    const said = await ask(`net:*.${suffix}`).then(
      () => "granted",
      (error: unknown) => String(error),
    );
    const expected = `everybody has a name below ${suffix}, says the public suffix list of ${publicSuffixList.date}`;
    if (!said.includes(expected)) granted.push(`${suffix}: ${said}`);
  }
  return granted;
}

describe("for every entry of the public suffix list", () => {
  test("of which there are more than ten thousand, ICANN's and private ones", () => {
    expect(suffixes.size).toBeGreaterThan(10_000);
    for (const suffix of [
      "com",
      "co.uk",
      "github.io",
      "ck",
      "anybody.ck",
      "gov.de",
      "s3.amazonaws.com",
      "xn--p1ai",
    ])
      expect(suffixes).toContain(suffix);
  });

  test("no operator can grant what lies below it", async () => {
    const desk = openNetworkDesk();
    expect(await refusalsOf((capability) => desk.operator.capabilities.grant(capability))).toStrictEqual([]);
  });

  test("nobody can ask for what lies below it", async () => {
    const desk = openNetworkDesk();
    expect(await refusalsOf((capability) => desk.seat.askFor(capability))).toStrictEqual([]);
  });
});

test("a wish from before, when a suffix was not in the list, is not granted", async () => {
  const desk = openNetworkDesk();
  await desk.seat.askFor("net:*.example.com");
  const [grant] = await desk.operator.capabilities.list();
  if (grant === undefined) throw new Error("nobody was asked");
  const key = { kind: capabilityKind, accountId: "acct_1", id: grant.grantId } as const;
  const { revision } = (await desk.store.inner.document(key)) ?? { revision: 0 };
  const wish = { ...grant, capability: "net:*.github.io" as Capability };
  const documents = [putCapability(wish, revision, installation.keyHash)];
  await desk.store.inner.commit({ durability: "process", now: desk.clock.now(), documents });
  await expect(desk.operator.capabilities.grant(grant.grantId)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("everybody has a name below github.io"),
  });
  expect(await desk.operator.capabilities.list({ status: "granted" })).toStrictEqual([]);
  expect(await desk.operator.capabilities.deny(grant.grantId)).toMatchObject({ status: "denied" });
});

test("what the list excepts, and a name below a suffix, can be granted", async () => {
  const desk = openNetworkDesk();
  expect(exceptions).toContain("www.ck");
  for (const host of [...exceptions, "example.co.uk", "somebody.github.io"])
    expect(await desk.operator.capabilities.grant(`net:*.${host}`)).toMatchObject({
      capability: `net:*.${host}`,
    });
});

test("the list is pinned, and its date is that of the pinned version", () => {
  const { version } = z.object({ version: z.string() }).parse(readJson(join(folder, "package.json")));
  const own = z
    .object({ dependencies: z.object({ tldts: z.string() }) })
    .parse(readJson(new URL("../../package.json", import.meta.url).pathname));
  expect(own.dependencies.tldts).toBe(publicSuffixList.version);
  expect(version).toBe(publicSuffixList.version);
  // Who takes another list changes this digest, and the date beside the version.
  const digest = createHash("sha256")
    .update([...rules, ...exceptions].join("\n"))
    .digest("hex");
  expect([publicSuffixList.date, digest.slice(0, 16)]).toStrictEqual(["2026-11-14", "76f65e5a76f12363"]);
});
