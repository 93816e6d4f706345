// S1, B34: every command, with a key in the environment and the same key wherever somebody could put it by mistake. Then every byte
// that was printed or written is searched for it.
import { Command } from "commander";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findForms } from "../../../proofs/canary/find-forms.ts";
import { outlines } from "../src/program-outline.ts";
import { webPack } from "../test-data/reaching-home.ts";
import { adding, leftRun, modelFile } from "../test-data/run-home.ts";
import { Home, notesPack, routedPack } from "../test-data/run-sf.ts";
import { keyPath, startUp } from "../test-data/run-up.ts";

const key = "$KEY";
const write = ["--policy", "write.json"];
const notes = ["--pack", notesPack];
const web = ["--pack", webPack];
const text = JSON.stringify({ text: key });
const model = ["--model", "scripted:script.json"];

/** Where this test has put the key itself. */
const given = ["secret.json", "script.json", "fetching.json"];
/** The tools that were given it keep it as it is: that is theirs to do. */
const kept = ["notes"];

/** Every command at least once as it should be, and then with the key where it does not belong. */
const commands: readonly (readonly string[])[] = [
  ["manifest"],
  ["manifest", "routed.add", "--json"],
  ["manifest", key],
  ["explain", "routed.add", "--input", text, ...write],
  ["explain", key, ...notes, "--json"],
  ["agent", "--tool", "routed.add", "--input", text, ...write, "--record-trace", "agent.jsonl"],
  ["agent", "--tool", "routed.add", "--input", text, ...write, "--replay-trace", "agent.jsonl", "--ndjson"],
  ["agent", "--tool", "routed.spill", "--json"],
  ["agent", "--tool", key],
  ["agent", "--tool", "routed.add", "--input", "{}", "--idempotency-key", key, ...write],
  ["agent", "--tool", "routed.add", "--input", text, "--dry-run", ...write],
  ["agent", "--tool", "routed.add", "--url", `http://${key}@127.0.0.1:1`],
  ["agent", "--tool", "routed.add", "--account", key],
  ["agent", "--tool", "routed.add", "--input", key],
  ["call", "notes.add", ...notes, ...write, "--input", text, "--record-trace", "call.jsonl"],
  ["call", "notes.add", ...notes, ...write, "--input", text, "--json", "--sign"],
  ["call", key, ...notes],
  ["call", "notes.add", ...notes, "--policy", "ask.json", "--input", text, "--session", "monday"],
  ["call", "notes.add", ...notes, "--session", key],
  ["approvals", "ls"],
  ["approvals", "ls", "--status", "any", "--json"],
  ["approvals", "show", "$ASKED"],
  ["approvals", "show", key],
  ["approvals", "approve", key],
  ["approvals", "approve", "$ASKED", "--for-session", "--fix", key],
  ["approvals", "approve", "$ASKED", "--for-session", "--note", `with ${key}`],
  ["approvals", "grants"],
  ["approvals", "deny", "$ASKED", "--note", `seen with ${key}`],
  ["approvals", "revoke", key],
  ["approvals", "revoke", "grant_00000000"],
  ["approvals", "ls", "--store", `postgres://me:${key}@127.0.0.1:1/none`],
  ["approvals", "ls", "--store", key],
  ["call", "web.fetch", ...web, "--input", `{"url":"https://example.com/?key=${key}"}`],
  ["run", "fetch it", "--model", "scripted:fetching.json", ...web, "--tools", "web.fetch"],
  ["grants", "ls"],
  ["grants", "ls", "--status", "any", "--json"],
  ["grants", "grant", "net:example.com", "--for", "1h", "--note", `with ${key}`],
  ["grants", "grant", key],
  ["grants", "grant", `net:${key}`],
  ["grants", "grant", "net", "--key-id", key],
  ["grants", "grant", "net", "--session", key],
  ["grants", "grant", "net", "--run", key],
  ["grants", "deny", "$WANTED", "--note", `seen with ${key}`],
  ["grants", "deny", key],
  ["grants", "revoke", "cap_00000000"],
  ["grants", "revoke", key],
  ["grants", "ls", "--store", `postgres://me:${key}@127.0.0.1:1/none`],
  ["call", "web.fetch", ...web, "--input", `{"url":"https://example.com/?key=${key}"}`],
  ["runs", "ls"],
  ["runs", "ls", "--state", "waiting", "--json"],
  ["runs", "show", "$RUN"],
  ["runs", "show", "$RUN", "--json"],
  ["runs", "show", "$RUN", "--events"],
  ["runs", "show", "$RUN", "--events", "--cursor", key],
  ["runs", "show", key],
  ["runs", "resume", "$RUN", "--pack", notesPack, "--model", modelFile],
  ["runs", "resume", "$RUN", "--pack", notesPack, "--model", key],
  ["runs", "resolve", "$RUN", "eff_00000000", "--status", "failed", "--note", `seen with ${key}`],
  ["runs", "resolve", "$RUN", key, "--status", "failed", "--note", "x"],
  ["runs", "cancel", "$RUN"],
  ["runs", "cancel", key],
  ["runs", "ls", "--store", `postgres://me:${key}@127.0.0.1:1/none`],
  ["run", "add a note", ...model, "--tools", "routed.add", "--session", "monday"],
  ["run", "add a note", ...model, ...notes, "--policy", "ask.json", "--json"],
  ["run", "add a note", ...model, ...notes, "--policy", "lift.json", "--record-trace", "run.jsonl"],
  ["run", "add a note", ...notes, "--policy", "lift.json", "--replay-trace", "run.jsonl", "--ndjson"],
  ["run", `my key is ${key}`, ...model, ...notes, "--instructions", key, "--record-trace", "told.jsonl"],
  ["run", "x", ...notes, "--model", key],
  ["run", "x", ...notes, "--model", `openai:m@http://${key}@127.0.0.1:1/v1`],
  ["run", "x", ...notes, "--model", `scripted:${key}`],
  ["run", "x", ...model, ...notes, "--tools", key],
  ["run", "x", ...model, ...notes, "--session", key],
  ["run", "x", ...model, "--url", `http://${key}@127.0.0.1:1`],
  ["run", "x", ...model, "--policy", "secret.json"],
  ["run", "x", ...model, "--store", `postgres://me:${key}@127.0.0.1:1/none`],
  ["run", key, "--demo"],
  ["chat", "--once", `my key is ${key}`, ...model, ...notes, "--instructions", key, "--constraint", key],
  ["chat", "--once", "and now?", ...model, ...notes, "--policy", "lift.json", "--session", "told", "--json"],
  ["chat", "--once", "x", ...model, ...notes, "--session", key],
  ["chat", "--once", "x", ...notes, "--model", key],
  ["chat", "--once", "x", ...model, ...notes, "--store", `postgres://me:${key}@127.0.0.1:1/none`, "--ndjson"],
  ["trace", "export", "$RUN", "-o", "agents-run.jsonl"],
  ["trace", "ls", "--store", `postgres://me@127.0.0.1:1/none?password=${key}`],
  ["keys", "create", "--name", "robot"],
  ["keys", "create", "--name", key],
  ["keys", "ls", "--json"],
  ["keys", "rotate", "$ID"],
  ["keys", "revoke", "$ID", "--yes"],
  ["keys", "revoke", key, "--yes"],
  ["policy", "init", "made.json"],
  ["policy", "check", "write.json"],
  ["policy", "check", "secret.json"],
  ["policy", "test", "write.json", "--trace", "agent.jsonl"],
  ["policy", "suggest", "--trace", "agent.jsonl", "--trace", "call.jsonl"],
  ["policy", "diff", "write.json", "secret.json"],
  ["trace", "ls"],
  ["trace", "ls", "--json"],
  ["trace", "show", "agent.jsonl"],
  ["trace", "show", "agent.jsonl", "--json"],
  ["trace", "show", "agent.jsonl", "--call", key],
  ["trace", "verify", "agent.jsonl"],
  ["trace", "verify"],
  ["trace", "export", "--last", "-o", "exported.jsonl"],
  ["trace", "diff", "agent.jsonl", "call.jsonl"],
  ["trace", "erase", key, "--yes"],
  ["receipt", "verify", "call.json"],
  ["receipt", "verify", key],
  ["effects", "ls"],
  ["effects", "resolve", "eff_00000000", "--status", "failed", "--note", `seen with ${key}`],
  ["backup", "copy"],
  ["backup", "other-copy", "--json"],
  ["backup", key, "--data", key],
  ["doctor"],
  ["doctor", "--json"],
  ["completion", "bash"],
  ["up", "--once"],
  ["up", "--once", "--limits", `${key}.json`],
  ["up", "--once", "--store", `postgres://me:${key}@127.0.0.1:1/none`],
];

describe("the key of the environment", () => {
  // proves KEY-5.2, KEY-5.3
  test("S1, B34: is in no output and no file, whatever is done with it", { timeout: 240_000 }, async () => {
    const home = new Home();
    const { out: started } = await startUp(home, ["--port", "0", "--no-markets", "--pack", routedPack]);
    const [operator, starter] = (["operator", "starter"] as const).map((role) =>
      readFileSync(keyPath(home, role), "utf8").trim(),
    ) as [string, string];
    home.write("write.json", { maxSideEffect: "user_write" });
    const approvals = { requireForSideEffectAtOrAbove: "user_write" };
    home.write("ask.json", { maxSideEffect: "user_write", approvals });
    const none = { requireForSideEffectAtOrAbove: "secret" };
    home.write("lift.json", { maxSideEffect: "user_write", approvals: none });
    home.write("secret.json", { allowTools: [starter], [starter]: starter });
    home.write("script.json", [
      { text: `with ${starter}`, toolCalls: [{ name: "notes.add", args: { text: starter } }] },
      { text: `done with ${starter}` },
    ]);
    const url = `https://example.org/?key=${starter}`;
    home.write("fetching.json", [
      { toolCalls: [{ name: "web.fetch", args: { url } }] },
      { text: `not with ${starter}` },
    ]);
    const runId = await leftRun(home, { script: [[adding("milk")], `done with ${starter}`] });
    const said: string[] = [started.replaceAll(/^ +sf_live_\S+ {2}shown this once$/gm, "")];
    let [keyId, asked, wanted] = ["", "", ""];
    for (const words of commands) {
      const secret = words[0] === "keys" ? operator : starter;
      const argv = words.map((word) =>
        word
          .replaceAll(key, secret)
          .replaceAll("$ID", keyId)
          .replaceAll("$ASKED", asked)
          .replaceAll("$WANTED", wanted)
          .replaceAll("$RUN", runId),
      );
      const { code, out, err } = await home.run(argv, { env: { ...home.env, SF_API_KEY: secret } });
      // What is as it should be works: a canary in commands that all fail would sing for nobody.
      const isMisused = words.some((word) => word.includes(key) || word === "secret.json");
      const isAsking = words.includes("ask.json") || (words.includes("resume") && !isMisused);
      const codes = isAsking ? [4] : isMisused ? [0, 1, 2, 3, 5, 6] : [0, 1, 3];
      expect(codes, `${words.join(" ")}: ${err}`).toContain(code);
      asked ||= /appr_[\w-]+/.exec(err)?.[0] ?? "";
      wanted ||= /cap_[\w-]+/.exec(err)?.[0] ?? "";
      if (words[0] === "keys" && words[1] === "create") keyId ||= /key_[\w-]+/.exec(out)?.[0] ?? "";
      if (words.includes("--sign")) home.write("call.json", out);
      said.push(`${words.join(" ")}\n${out}\n${err}`);
    }
    expect([keyId, asked, wanted, runId]).not.toContain("");
    const secrets = [operator, starter, ...keysMade(home)];
    expect(secrets.length).toBeGreaterThan(2);
    // Emptied, and not left out below: the proof `canary` searches what every test has left.
    for (const file of [...given, ...kept]) writeFileSync(home.path(file), "");
    const files = filesIn(home.folder).filter((file) => !file.endsWith(".key"));
    const written = [...said, ...files.map((file) => `${file}\n${readFileSync(file, "latin1")}`)];
    const found = written.flatMap((one) =>
      secrets.flatMap((secret) => findForms(one, secret).map((form) => `${one.slice(0, 200)}: ${form}`)),
    );
    expect(found).toStrictEqual([]);
  });

  test("no command is left out", async () => {
    const program = new Command();
    for (const { load } of outlines) {
      (await load())(program, undefined as never);
    }
    const tried = new Set(commands.map(([first, second]) => [first, second].join(" ")));
    const left = leaves(program).filter(
      (path) => ![...tried].some((one) => `${one} `.startsWith(`${path} `)),
    );
    expect(left).toStrictEqual([]);
  });
});

function leaves(command: Command, path = ""): string[] {
  if (command.commands.length === 0) return [path.trim()];
  return command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`));
}

function keysMade(home: Home): string[] {
  return filesIn(home.path("home/.config"))
    .filter((file) => file.endsWith(".key") && !file.endsWith("installation.key"))
    .map((file) => readFileSync(file, "utf8").trim());
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
