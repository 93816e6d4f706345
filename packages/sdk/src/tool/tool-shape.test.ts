import { expect, test } from "vitest";
import { isList, soleParamOf } from "./tool-shape.ts";

const text = { type: "string" };
const page = { type: "object", properties: { items: { type: "array" }, next: text } };
const paged = { type: "object", properties: { after: text } };

test.each([
  ["items, next and after", paged, page, true],
  ["the same by way of a reference", paged, { $ref: "#/$defs/Page", $defs: { Page: page } }, true],
  [
    "items by way of a reference",
    paged,
    { properties: { items: { $ref: "#/$defs/a" }, next: text }, $defs: { a: { type: "array" } } },
    true,
  ],
  ["no after", { type: "object" }, page, false],
  ["no next", paged, { type: "object", properties: { items: { type: "array" } } }, false],
  ["items that are no array", paged, { type: "object", properties: { items: text, next: text } }, false],
  ["members that only every object has", { properties: {} }, { properties: {} }, false],
  ["a reference that leads nowhere", paged, { $ref: "#/$defs/Page" }, false],
])("a list has %s", (_, input, output, is) => {
  expect(isList(input, output)).toBe(is);
});

test.each([
  [{ properties: { keyId: text }, required: ["keyId"] }, ["keyId"], "keyId"],
  [{ properties: { keyId: text, why: text }, required: ["keyId"] }, ["keyId"], "keyId"],
  [{ properties: { keyId: text }, required: ["keyId"] }, [], undefined],
  [{ properties: { keyId: { type: "integer" } }, required: ["keyId"] }, ["keyId"], undefined],
  [{ properties: { keyId: text, why: text }, required: ["keyId", "why"] }, ["keyId"], undefined],
  [{ properties: { keyId: text } }, ["keyId"], undefined],
  [{}, ["constructor"], undefined],
])("of %j with %j in the path %s may stand alone", (input, params, name) => {
  expect(soleParamOf(input, params)).toBe(name);
});
