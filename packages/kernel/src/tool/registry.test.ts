import { InvalidManifestError, InvalidPackageError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import type { Pack, Tool } from "./define-tool.ts";
import { registerPacks, registryOf, type ToolRegistry } from "./registry.ts";

const read = toolWith();
const write = toolWith({ name: "notes.write", sideEffect: "user_write" });
const planned = toolWith({ name: "notes.share", status: "deferred" });

describe("packs are put together", () => {
  // proves PORT-14.11
  test("lists and single tools, active or not, each under its canonical name and no other", () => {
    const { manifest, tools } = registerPacks([[read, planned], write, []]);
    expect(manifest.mode).toBe("review");
    expect(manifest.tools.map(({ name }) => name)).toStrictEqual([
      "notes.read",
      "notes.share",
      "notes.write",
    ]);
    expect([...tools]).toStrictEqual([
      ["notes.read", read],
      ["notes.share", planned],
      ["notes.write", write],
    ]);
    for (const other of [
      "notes_read",
      "NOTES.READ",
      "notes",
      "toString",
      "__proto__",
      read.contract.digest,
    ]) {
      expect(tools.has(other)).toBe(false);
    }
  });

  // proves PORT-14.11, PORT-14.12, PORT-21.15
  test("as many as were given, and of none there is none: nothing is built in", () => {
    expect(registerPacks([[read, planned], write]).tools.size).toBe(3);
    const { tools, manifest } = registerPacks([]);
    expect([tools.size, manifest.tools]).toStrictEqual([0, []]);
  });

  test("in any order they are the same manifest", () => {
    const one = registerPacks([read, write, planned]).manifest;
    expect(registerPacks([[planned, write], read]).manifest).toStrictEqual(one);
  });

  test.each<[string, Pack, string]>([
    ["the same tool twice", read, "two tools are called notes.read: give it once, or rename one"],
    [
      "another tool of that name",
      toolWith({ description: "Another." }),
      "two tools are called notes.read: give it once, or rename one",
    ],
    [
      "the same route",
      toolWith({ name: "other.read", http: { method: "GET", path: "/api/notes/{other}" } }),
      "route GET /api/notes/{} is taken by routed.read",
    ],
    ["the same compatName", toolWith({ name: "a.b_c" }), "compatName a_b_c is taken by a.b.c"],
    ["a name that is a namespace", toolWith({ name: "a.b" }), "its name is the namespace of another tool"],
  ])("%s is refused", (_, pack, message) => {
    const routed = toolWith({ name: "routed.read", http: { method: "GET", path: "/api/notes/{id}" } });
    const error = refusalOf(() => registerPacks([[read, routed, toolWith({ name: "a.b.c" })], pack]));
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toContain(message);
  });

  const forgeries: [string, unknown][] = [
    ["a copy", { ...read }],
    ["a contract alone", read.contract],
    ["a tool's heir", Object.create(read)],
    ["a proxy of a tool", new Proxy(read, {})],
    ["a clone", structuredClone(read)],
    ["an object with a function", { contract: read.contract, run: () => "ran" }],
    ["a name", "notes.read"],
    ["null", null],
    ["undefined", undefined],
    ["a function", () => "ran"],
    ["a list in a list", [[read]]],
  ];
  test.each(forgeries)("%s is no tool", (_, forgery) => {
    const error = refusalOf(() => registerPacks([write, forgery as Tool]));
    expect(error).toBeInstanceOf(InvalidPackageError);
    expect(error.message).toBe("invalid pack: entry 1 is not a tool; tools are made by defineTool");
    expect(error.details).toStrictEqual({ path: "/1", reason: "not_a_tool" });
  });

  test("what is no list of packs is refused, also a tool that forgot its brackets", () => {
    for (const packs of [read, null, undefined, {}, "packs"]) {
      expect(refusalOf(() => registerPacks(packs as never))).toBeInstanceOf(InvalidPackageError);
    }
  });
});

describe("a registry that several seats share", () => {
  test("is taken as it is, and packs are put together", () => {
    const registry = registerPacks([read]);
    expect(registryOf(registry)).toBe(registry);
    expect(registryOf([read])).toStrictEqual(registry);
  });

  test.each<[string, (real: ToolRegistry) => unknown]>([
    ["a copy of one", (real) => ({ ...real })],
    ["one with another manifest", (real) => ({ ...real, manifest: registerPacks([write]).manifest })],
    ["one that inherits from one", (real) => Object.create(real) as unknown],
    ["one that stands before one", (real) => new Proxy(real, {})],
    ["nothing", () => undefined],
    ["null", () => null],
    ["a text", () => "notes.read"],
    ["a tool alone", () => read],
  ])("is one that registerPacks has made, and not %s", (_, make) => {
    const given = make(registerPacks([read])) as ToolRegistry;
    expect(refusalOf(() => registryOf(given))).toBeInstanceOf(InvalidPackageError);
  });

  test("cannot be given another manifest", () => {
    const registry = registerPacks([read]) as { manifest: unknown };
    expect(() => {
      registry.manifest = registerPacks([write]).manifest;
    }).toThrow(TypeError);
  });
});
