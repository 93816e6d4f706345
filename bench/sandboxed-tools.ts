// What it costs that files, commands and pages are reached under law: each beside the bare thing it stands for.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { govern } from "@spfunctions/agent";
import { fsTools, httpTools, sandboxState, shellTools } from "@spfunctions/host/tools";
import { createMemoryStore, openOperator } from "@spfunctions/kernel";
import { request } from "undici";
import { principal } from "./bench-tools.ts";
import type { Benchmark } from "./side-by-side.ts";

const root = mkdtempSync(join(tmpdir(), "sf-bench-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const text = "All of it is written down.\n".repeat(100);
const file = join(root, "notes.md");
writeFileSync(file, text);

const page = `<html><body><h1>Notes</h1>${"<p>All of it is <b>written</b> down.</p>".repeat(60)}</body></html>`;
const server = createServer((_request, response) =>
  response.setHeader("content-type", "text/html; charset=utf-8").end(page),
);
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
server.unref();
const { port } = server.address() as AddressInfo;
const url = `http://localhost:${port}/`;

const store = createMemoryStore();
const governed = govern({
  packs: [fsTools({ root }), shellTools({ root }), httpTools({ store })],
  policy: { maxSideEffect: "runtime", allowTools: ["fs.*", "shell.exec", "http.get"] },
  principal: { ...principal, scopes: ["write", "admin"] },
  network: { localHosts: [`localhost:${port}`] },
  store,
});
const operator = openOperator({
  store,
  principal: { ...principal, keyId: "anna", kind: "operator", scopes: ["admin"] },
});
await operator.capabilities.grant("net:localhost", { scope: "until", forMs: 86_400_000 });

const run = promisify(execFile);
const bare = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--chdir", root];
const { state } = await sandboxState();

export const benchmarks: readonly Benchmark[] = [
  {
    title: "reading a file of 2.7 kB",
    isAsync: true,
    contenders: {
      readFile: () => readFile(file, "utf8"),
      "fs.read_text, governed": () => governed.call("fs.read_text", { path: "notes.md" }),
    },
  },
  {
    title: "writing a file of 2.7 kB",
    isAsync: true,
    contenders: {
      "writeFile, flushed": () => writeFile(join(root, "bare.md"), text, { flush: true }),
      "fs.write_text, governed, whole or not at all": () =>
        governed.call("fs.write_text", { path: "governed.md", text, overwrite: true }),
    },
  },
  ...(state === "full"
    ? [
        {
          title: "running ls",
          isAsync: true,
          turnCalls: 3,
          contenders: {
            "bwrap with everything in it": () => run("bwrap", [...bare, "ls"]),
            "shell.exec, governed": () => governed.call("shell.exec", { cmd: "ls" }),
          },
        },
      ]
    : []),
  {
    title: "a page of 2.3 kB from this machine",
    isAsync: true,
    contenders: {
      "undici, a connection each": async () => await (await request(url, { reset: true })).body.text(),
      "undici, one connection": async () => await (await request(url)).body.text(),
      "http.get, governed": () => governed.call("http.get", { url, use_cache: false }),
      "http.get, governed, from the cache": () => governed.call("http.get", { url }),
    },
  },
];
