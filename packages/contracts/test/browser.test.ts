import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256Vectors } from "../test-data/fips180.ts";
import { refused } from "../test-data/json-grammar.ts";
import { documents, numbers } from "../test-data/rfc8785.ts";
import { probe } from "./browser-probe.ts";
import { bundleForBrowser } from "./bundle-for-browser.ts";
import { isChromiumSkipped, launchChromium } from "./chromium.ts";

const bundled = await bundleForBrowser(join(import.meta.dirname, "browser-probe.ts"), "contractsProbe");

test("the package bundles for a browser without a module of Node", () => {
  expect(bundled.imports).toEqual([]);
  expect(bundled.code.match(/["'`]node:[^"'`]*["'`]|\brequire\(/g)).toBeNull();
  const hashing = bundled.modules
    .filter((id) => /sha256-\w+\.ts$/.test(id))
    .map((id) => id.split("/").at(-1));
  expect(hashing).toEqual(["sha256-portable.ts"]);
  expect(bundled.modules.some((id) => id.endsWith("/src/index.ts"))).toBe(true);
});

describe.skipIf(isChromiumSkipped)("in Chromium", () => {
  let browser: Browser | undefined;
  let there: ReturnType<typeof probe>;

  beforeAll(async () => {
    browser = await launchChromium();
    const page = await browser.newPage();
    await page.setContent("<!doctype html><title>probe</title>");
    await page.addScriptTag({ content: bundled.code });
    there = await page.evaluate("contractsProbe.probe()");
  });

  afterAll(() => browser?.close());

  test("the RFC 8785 vectors hold", () => {
    expect(there.documents).toEqual(documents.map(({ canonical }) => canonical));
    expect(there.numbers).toEqual(numbers.map(({ text }) => text));
  });

  test("the SHA-256 vectors hold", () => {
    expect(there.hashes).toEqual(sha256Vectors.map(({ hex }) => `sha256:${hex}`));
  });

  test("what is no strict JSON is refused for the same reasons", () => {
    const reasons = there.refusedTexts.map((refusal) =>
      refusal === "not refused" ? refusal : refusal.details?.reason,
    );
    expect(reasons).toEqual(refused.map(([, why]) => why));
  });

  test("everything comes out as in Node: texts, hashes, manifest, policy, redaction and refusals", () => {
    expect(there).toEqual(probe());
  });
});
