// A run with subagents, driven over a socket by a model that knows by its first message who it is: the run itself, or which child.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { chatFormat } from "../../host/test/chat-format.ts";
import type { Home } from "./run-sf.ts";

export const familyPack = join(import.meta.dirname, "family-pack.ts");

type Call = { readonly name: string; readonly args: object };
/** A text, calls, or a refusal. `RUN` in a call stands for the child that was started last. */
type Saying = string | readonly Call[] | { readonly status: number };

/** What each says, one a turn; a child is known by the first word of its objective. */
export type Parts = { readonly parent: readonly Saying[]; readonly [child: string]: readonly Saying[] };

type Asked = { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] };

/** A policy under which a run may have children, and add notes where a person approves it. */
export const familyPolicy = {
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
  budget: { maxSteps: 40, maxToolCalls: 40, maxChildren: 4, maxDepth: 2 },
} as const;

export const start = (name: string, task = "look") => ({ name: `subagent.${name}`, args: { task } });
export const read = { name: "notes.read", args: { id: 7 } };
export const add = (text: string) => ({ name: "notes.add", args: { text } });

const usage = { inputTokens: 10, outputTokens: 5 };

/** Where a model is asked that says these parts, as `--model` names it. */
export async function modelOf(parts: Parts): Promise<string> {
  const server = createServer((request, response) => void answer(parts, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `openai:m@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  const { messages } = JSON.parse(body) as Asked;
  const [first] = messages;
  const name = first?.role === "system" ? (String(first.content).split(/\s/)[0] ?? "") : "parent";
  const step = messages.filter(({ role }) => role === "assistant").length;
  const said = parts[name]?.[step] ?? "that is all";
  if (typeof said === "object" && "status" in said) return void response.writeHead(said.status).end("{}");
  const [child = ""] = /run_\w{32}/.exec(body) ?? [];
  const text = typeof said === "string" ? said : `${name} looks.`;
  const calls = typeof said === "string" ? undefined : said.map((call, at) => wired(call, step, at, child));
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(chatFormat({ text, ...(calls && { calls }), usage }, "stream").bytes);
}

function wired({ name, args }: Call, step: number, at: number, child: string) {
  const id = `c${step}-${at}`;
  return { id, name: name.replaceAll(".", "_"), args: JSON.stringify(args).replace("RUN", child) };
}

/** The words of a run of these parts. */
export async function family(home: Home, parts: Parts, ...more: readonly string[]): Promise<string[]> {
  home.write("policy.json", familyPolicy);
  const model = ["--model", await modelOf(parts)];
  return ["run", "tend my notes", "--pack", familyPack, ...model, "--policy", "policy.json", ...more];
}
