import { readFileSync } from "node:fs";
import {
  resolvedToolCallSchema,
  toolCallRequestSchema,
  toolRegistrySnapshotSchema,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { toolCallRequest } from "../../../contracts/test-data/package-samples.ts";
import { packageWith } from "../../test-data/package-samples.ts";
import { snapshotOf, ToolRouter } from "./tool-router.ts";

const golden: unknown = JSON.parse(
  readFileSync(new URL("../../test-data/tool-registry-snapshot.json", import.meta.url), "utf8"),
);
const built = packageWith();
const router = new ToolRouter(snapshotOf(built));
const requestFor = (canonicalToolName: string) =>
  toolCallRequestSchema.parse({ ...toolCallRequest, canonicalToolName });

describe("a snapshot of a package's routes", () => {
  test("is this, sorted by name", () => {
    const snapshot = snapshotOf(built);
    expect(snapshot).toStrictEqual(golden);
    expect(toolRegistrySnapshotSchema.parse(snapshot)).toStrictEqual(snapshot);
    expect(Object.isFrozen(snapshot)).toBe(true);
  });
});

describe("a call", () => {
  test("takes the route of the tool that it names", () => {
    const request = requestFor("notes.write");
    const route = built.toolRoutes.find(({ canonicalToolName }) => canonicalToolName === "notes.write");
    const resolution = router.resolve(request);
    expect(resolution).toStrictEqual({ type: "resolved", call: { request, route } });
    if (resolution.type === "resolved") resolvedToolCallSchema.parse(resolution.call);
  });

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
