// The public surface is listed by hand: a change here is a decision, not an accident.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as sdk from "./index.ts";
import { ownUserAgent } from "./wire/own-user-agent.ts";

test("the package exports these values, and no others", () => {
  expect(Object.keys(sdk).toSorted()).toStrictEqual(["SimpleFunctions", "connectEmbedded"]);
});

test("a client has these members of its own beside its resources", () => {
  expect(Object.getOwnPropertyNames(sdk.SimpleFunctions.prototype).toSorted()).toStrictEqual([
    "call",
    "callByContract",
    "constructor",
    "credentialId",
    "events",
    "forRun",
    "hasApiKey",
    "mayActFor",
    "toJSON",
  ]);
});

test("the client names itself with the version of the package", () => {
  const file = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(file) as { version: string };
  expect(ownUserAgent).toBe(`spfunctions-sdk/${version}`);
});
