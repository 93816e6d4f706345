import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sandboxState } from "@spfunctions/host/tools";
import { expect, onTestFinished, test } from "vitest";
import { approvalIdIn, runIdIn, saying } from "../../test-data/run-scripts.ts";
import { Home } from "../../test-data/run-sf.ts";

test("files of a folder, by --pack fs:<folder>", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  const call = (...more: string[]) => home.run(["call", "fs.read_text", ...more]);
  const read = await call("--pack", "fs:notes", "--input", '{"path":"today.md"}', "--json");
  expect(read.code).toBe(0);
  expect(JSON.parse(read.out)).toMatchObject({ output: { text: "open on Sundays" } });
  const outside = await call("--pack", "fs:notes", "--input", '{"path":"../policy.json"}');
  expect(outside).toMatchObject({ code: 3, err: expect.stringContaining("leads out of the root") });
  expect(await call("--pack", "fs:nowhere", "--input", "{}")).toMatchObject({
    code: 1,
    err: expect.stringContaining("there is no folder"),
  });
});

test("a folder that holds what sf itself keeps is none", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  await home.run(["call", "fs.list_dir", "--pack", "fs:notes", "--data", "data"]);
  const own = await home.run(["call", "fs.list_dir", "--pack", "fs:.", "--data", "data"]);
  expect(own).toMatchObject({ code: 1, err: expect.stringContaining("lie in each other") });
});

test("commands and pages are there, and are nobody's to use without being told", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  const packs = ["--pack", "shell:notes", "--pack", "http"];
  const exec = await home.run(["call", "shell.exec", ...packs, "--input", '{"cmd":"ls"}']);
  expect(exec).toMatchObject({ code: 3, err: expect.stringContaining("max.sideEffect") });
  const get = await home.run(["call", "http.get", ...packs, "--input", '{"url":"https://example.com/"}']);
  expect(get).toMatchObject({ code: 3, err: expect.stringContaining("net:example.com") });
});

test("a model's command waits for a person's yes, and is offered only where a policy names it in full", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  const call = { name: "shell.exec", args: { cmd: "grep -c Sundays today.md" } };
  home.write("script.json", [{ ...saying("I look."), toolCalls: [call] }, saying("It is there.")]);
  const model = ["--model", "scripted:script.json"];
  const run = ["run", "look", "--pack", "shell:notes", "--policy", "policy.json", ...model];
  home.write("policy.json", { maxSideEffect: "runtime", allowTools: ["shell.*"] });
  expect((await home.run(run)).err).toContain("do not include the side effect runtime");
  home.write("policy.json", { maxSideEffect: "runtime", allowTools: ["shell.exec"] });
  const asked = await home.run(run);
  expect(asked).toMatchObject({ code: 4, out: "" });
  const [runId, approvalId] = [runIdIn(asked.err), approvalIdIn(asked.err)];
  expect((await home.run(["approvals", "approve", approvalId])).code).toBe(0);
  const resumed = await home.run(["runs", "resume", runId, "--pack", "shell:notes", ...model]);
  expect(resumed).toMatchObject({ code: 0, out: "It is there.\n" });
  const { state } = await sandboxState();
  expect(resumed.err).toMatch(state === "full" ? /shell\.exec: completed/ : /shell\.exec: failed/);
});

test("a page of a local host that is opened, granted, and kept between commands", async () => {
  let served = 0;
  const server = createServer((_request, response) => response.end(`answer ${(served += 1)}`));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const home = new Home();
  const input = JSON.stringify({ url: `http://${host}/` });
  const call = ["call", "http.get", "--pack", "http", "--input", input, "--json"];
  const open = ["--net-local", host];
  expect((await home.run([...call, ...open])).code).toBe(3);
  expect((await home.run(["grants", "grant", "net:localhost", "--for", "1h"])).code).toBe(0);
  expect((await home.run(call)).code).toBe(3);
  expect((await home.run([...call, "--net-local", "localhost:1"])).code).toBe(3);
  const told = [await home.run([...call, ...open]), await home.run([...call, ...open])];
  expect(told.map(({ out }) => JSON.parse(out) as object)).toMatchObject([
    { output: { text: "answer 1", cache: { hit: false } } },
    { output: { text: "answer 1", cache: { hit: true } } },
  ]);
  await home.run(["grants", "grant", "net", "--for", "1h"]);
  const elsewhere = ["call", "http.get", "--pack", "http", "--input", '{"url":"https://example.com/"}'];
  expect(await home.run([...elsewhere, "--net-only", "example.org"])).toMatchObject({
    code: 3,
    err: expect.stringContaining("example.com"),
  });
  expect(served).toBe(1);
  const bad = await home.run([...call, "--net-local", "HTTP://x"]);
  expect(bad).toMatchObject({ code: 1, err: expect.stringContaining("network.localHosts") });
});

test("B22: a page is kept from process to process, and one that somebody wrote into the database is fetched again, and told", async () => {
  let served = 0;
  const server = createServer((_request, response) => response.end(`answer ${(served += 1)}`));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const home = new Home();
  const data = ["--data", "data"];
  const input = JSON.stringify({ url: `http://${host}/` });
  const call = [
    "call",
    "http.get",
    "--pack",
    "http",
    "--input",
    input,
    "--json",
    "--net-local",
    host,
    ...data,
  ];
  expect((await home.run(call)).code).toBe(3);
  await home.run(["grants", "grant", "net:localhost", "--for", "1h", ...data]);
  await home.runBinary(call);
  const again = await home.runBinary(call);
  expect(JSON.parse(again.out)).toMatchObject({ output: { text: "answer 1", cache: { hit: true } } });
  expect(again.err).not.toContain("fetched again");
  const database = new DatabaseSync(join(home.path("data"), "simplefunctions.db"));
  database.exec("UPDATE documents SET body = replace(body, 'answer', 'evil') WHERE kind = 'http_cache'");
  database.close();
  const changed = await home.runBinary(call);
  expect(JSON.parse(changed.out)).toMatchObject({ output: { text: "answer 2", cache: { hit: false } } });
  expect(changed.err).toContain("it is fetched again");
  const last = await home.runBinary(call);
  expect(JSON.parse(last.out)).toMatchObject({ output: { text: "answer 2", cache: { hit: true } } });
  expect(last.err).not.toContain("fetched again");
});
