// B29: one lookup, every answer looked at, and nothing else connected to.
import { describe, expect, test } from "vitest";
import { vetAddresses } from "./vet-addresses.ts";

const reach = { url: "http://a.example/", host: "a.example", port: 80, isLocal: false };
const { signal } = new AbortController();

const vet = (answers: unknown, isLocal = false) =>
  vetAddresses({ ...reach, isLocal }, async () => answers as string[], signal);

test("public addresses are given to whoever connects, in their order", async () => {
  const { lookup, includes } = await vet(["93.184.215.14", "2606:4700:0:0::1111"]);
  const seen: unknown[] = [];
  lookup("anything", { all: true }, (_, found) => seen.push(found));
  lookup("anything", {}, (_, address, family) => seen.push([address, family]));
  expect(seen).toStrictEqual([
    [
      { address: "93.184.215.14", family: 4 },
      { address: "2606:4700:0:0::1111", family: 6 },
    ],
    ["93.184.215.14", 4],
  ]);
  expect(
    ["93.184.215.14", "2606:4700::1111", "93.184.215.15", "::1", "", undefined].map(includes),
  ).toStrictEqual([true, true, false, false, false, false]);
});

test.each([
  ["one alone", ["127.0.0.1"]],
  ["the last of several", ["93.184.215.14", "2606:4700::1111", "10.0.0.1"]],
  ["the first of several", ["::1", "93.184.215.14"]],
  ["one in another family", ["93.184.215.14", "::ffff:169.254.169.254"]],
  ["the last of a thousand", [...Array.from({ length: 1000 }, () => "93.184.215.14"), "192.168.1.1"]],
])("an address that is not public, %s, refuses all", async (_, answers) => {
  await expect(vet(answers)).rejects.toMatchObject({
    code: "capability_denied",
    details: { reason: "address_not_public" },
  });
});

test("a refusal does not say what the address is", async () => {
  await expect(vet(["10.9.8.7"])).rejects.not.toThrow("10.9");
});

test("where a name was opened in the configuration, any address will do", async () => {
  const { includes } = await vet(["127.0.0.1", "fd00::1"], true);
  expect(["127.0.0.1", "fd00::1", "127.0.0.2"].map(includes)).toStrictEqual([true, true, false]);
});

describe("answers that are none", () => {
  test.each([
    ["nothing", []],
    ["no list", undefined],
    ["a text", "93.184.215.14"],
    ["words", ["localhost"]],
    ["another spelling", ["127.1"]],
    ["a number", [2130706433]],
    ["an object", [{ address: "93.184.215.14", family: 4 }]],
    ["an object that changes its mind", [{ toString: () => "93.184.215.14" }]],
    ["one of many", ["93.184.215.14", ""]],
    ["one with a zone", ["fe80::1%eth0"]],
  ])("%s", async (_, answers) => {
    for (const isLocal of [true, false])
      await expect(vet(answers, isLocal)).rejects.toMatchObject({
        code: "upstream_error",
        details: { reason: "host_not_found" },
      });
  });

  test("a resolver that throws", async () => {
    const fails = vetAddresses(
      reach,
      () => Promise.reject(new Error("getaddrinfo ENOTFOUND a.example")),
      signal,
    );
    await expect(fails).rejects.toMatchObject({
      code: "upstream_error",
      details: { reason: "host_not_found" },
    });
  });
});
