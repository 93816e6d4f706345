import { readFileSync } from "node:fs";
import {
  resolvedToolCallSchema,
  toolCallRequestSchema,
  toolRegistrySnapshotSchema,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { toolCallRequest } from "../../../contracts/test-data/package-samples.ts";
import { levelsOf } from "../../test-data/judge-samples.ts";
import { packageWith, readNote, shareNote, writeNote } from "../../test-data/package-samples.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { registerPacks } from "../tool/registry.ts";
import { routesUnder, snapshotOf, ToolRouter } from "./tool-router.ts";

const golden: unknown = JSON.parse(
  readFileSync(new URL("../../test-data/tool-registry-snapshot.json", import.meta.url), "utf8"),
);
const built = packageWith();
const router = new ToolRouter(snapshotOf(built));
const requestFor = (canonicalToolName: string) =>
  toolCallRequestSchema.parse({ ...toolCallRequest, canonicalToolName });

describe("a snapshot of a package's routes", () => {
  // proves PORT-1.6, PORT-2.1, PORT-2.3, PORT-2.4, PORT-2.5, PORT-3.1, PORT-3.14, PORT-3.15, PORT-5.13
  // proves PORT-21.1
  test("is this, sorted by name", () => {
    const snapshot = snapshotOf(built);
    expect(snapshot).toStrictEqual(golden);
    expect(toolRegistrySnapshotSchema.parse(snapshot)).toStrictEqual(snapshot);
    expect(Object.isFrozen(snapshot)).toBe(true);
  });
});

describe("a call", () => {
  // proves PORT-7.3, PORT-7.4, PORT-10.1, PORT-10.2
  test("takes the route of the tool that it names", () => {
    const request = requestFor("notes.write");
    const route = built.toolRoutes.find(({ canonicalToolName }) => canonicalToolName === "notes.write");
    const resolution = router.resolve(request);
    expect(resolution).toStrictEqual({ type: "resolved", call: { request, route } });
    if (resolution.type === "resolved") resolvedToolCallSchema.parse(resolution.call);
  });

  // proves PORT-7.5
  test("of an unknown tool is refused, with what may have been meant", () => {
    expect(router.resolve(requestFor("notes.wirte"))).toStrictEqual({
      type: "refused",
      code: "unknown_tool",
      reason: "the runtime package has no tool of this name",
      suggestions: ["notes.write"],
    });
  });

  test.each([
    "notes_write",
    "Notes.Write",
    " notes.write",
    "notes.write ",
    "notes.*",
    "tool.notes.write",
    "notes",
    "notes.share",
    "notes.translate",
    "",
    "__proto__",
    "constructor",
    "toString",
  ])("of %j resolves to nothing: no near name, no alias, nothing reserved or inactive", (name) => {
    const { type } = router.resolve(requestFor(name));
    expect(type).toBe("refused");
  });
});

describe("a route", () => {
  // proves PORT-4.1, PORT-4.2
  test("is found by its exact name, and by no other", () => {
    expect(router.find("notes.write")).toBe(built.toolRoutes[2]);
    for (const name of ["notes_write", "notes.Write", "notes", "__proto__", ""])
      expect(router.find(name)).toBeUndefined();
  });

  // proves PORT-7.1, PORT-7.2
  test("is the one that was there when the router was made", () => {
    expect(router.snapshot).toStrictEqual(snapshotOf(built));
    expect(Object.isFrozen(router.snapshot.routes)).toBe(true);
  });

  // proves PORT-20.7
  test("without a package is the one that a package of the same tools and policies has", () => {
    const levels = levelsOf({ maxSideEffect: "user_write" }, { denyTools: ["keys.*"] });
    const routeOf = routesUnder(registerPacks([readNote, writeNote]), levels);
    const { toolRoutes } = packageWith({
      packs: [readNote, writeNote],
      levels,
      sidecars: [],
      hooks: [],
      agentTools: [],
    });
    expect(toolRoutes.map(({ canonicalToolName }) => routeOf(canonicalToolName))).toStrictEqual(toolRoutes);
    expect(routeOf("notes.share")).toBeUndefined();
    expect(routeOf("notes.read")).toBe(routeOf("notes.read"));
  });
});

// proves PORT-1.4, PORT-2.6, PORT-4.3, PORT-5.5, PORT-5.7, PORT-5.25, PORT-6.4, PORT-7.2, PORT-7.8
// proves PORT-10.5
test("making a snapshot and a router, finding and resolving run no tool", () => {
  let runs = 0;
  const counting = toolWith({ name: "notes.count", run: () => ++runs });
  const routes = new ToolRouter(
    snapshotOf(packageWith({ packs: [counting, shareNote], sidecars: [], hooks: [], agentTools: [] })),
  );
  expect(routes.find("notes.count")?.executorRef).toContain(counting.contract.digest);
  expect(routes.resolve(requestFor("notes.count")).type).toBe("resolved");
  expect(runs).toBe(0);
});
