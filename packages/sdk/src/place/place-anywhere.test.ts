import { expect, test } from "vitest";
import { isBrowser } from "./place-anywhere.ts";
import { isBrowser as isAlwaysBrowser } from "./place-browser.ts";

const chrome = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0" };
const importScripts = () => {};

test.each([
  ["a page", { window: {}, document: {}, navigator: chrome }],
  [
    "a page that pretends to be Node",
    {
      window: {},
      document: {},
      process: { versions: { node: "24" } },
      navigator: { userAgent: "Node.js/24" },
    },
  ],
  ["a worker", { importScripts, WorkerGlobalScope: EventTarget, navigator: chrome }],
  ["a worker of modules", { WorkerGlobalScope: EventTarget, navigator: chrome }],
  ["a worker of a browser without a name", { importScripts }],
])("%s is a browser", (_, scope) => {
  expect(isBrowser(scope)).toBe(true);
});

test.each([
  ["this process", globalThis],
  ["Node", { process: {}, navigator: { userAgent: "Node.js/24" } }],
  ["Deno with a window", { window: {}, Deno: {}, navigator: { userAgent: "Deno/1.46.0" } }],
  ["a worker of Deno", { WorkerGlobalScope: EventTarget, navigator: { userAgent: "Deno/2.1.0" } }],
  ["a worker of Bun", { importScripts, navigator: { userAgent: "Bun/1.2" } }],
  [
    "a worker at the edge",
    { WorkerGlobalScope: EventTarget, navigator: { userAgent: "Cloudflare-Workers" } },
  ],
  ["another edge", { WorkerGlobalScope: EventTarget, EdgeRuntime: "vercel" }],
  ["nothing", {}],
])("%s is none", (_, scope) => {
  expect(isBrowser(scope)).toBe(false);
});

test("what is built for browsers is always in one", () => {
  expect(isAlwaysBrowser()).toBe(true);
});
