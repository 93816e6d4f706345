// A model is asked over HTTP or follows a script; whoever asks cannot tell. The provider here is twenty lines on this machine.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { modelFrom, openaiCompatible, priceFor, scriptedModel } from "@spfunctions/host/models";

// 1. A server that speaks chat completions, busy at first: so does Ollama, vLLM, llama.cpp, OpenRouter.
let asked = 0;
const server = createServer((_, response) => {
  asked++;
  if (asked === 1) return response.writeHead(429, { "retry-after": "2" }).end('{"error":{"message":"busy"}}');
  const call = { id: "c1", type: "function", function: { name: "mail_send", arguments: '{"to":"bank"}' } };
  const choices = [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }];
  return response.end(JSON.stringify({ choices, usage: { prompt_tokens: 40, completion_tokens: 9 } }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const input = {
  messages: [{ role: "user", text: "Write to the bank." }],
  tools: [{ name: "mail.send", description: "Sends a letter.", input: { type: "object" } }],
  signal: new AbortController().signal,
} as const;

// 2. A refusal says whether and when asking again can help; an answer has the tools' own names.
const model = openaiCompatible({ model: "llama3", baseUrl, apiKey: "a-key-of-yours" });
await assert.rejects(model.complete(input), {
  retry: "after_wait",
  details: { reason: "refused", status: 429, retryAfterMs: 2000 },
});
const answer = await model.complete(input);
assert.deepEqual(answer, {
  toolCalls: [{ id: "c1", name: "mail.send", args: { to: "bank" } }],
  finish: "tool_calls",
  usage: { inputTokens: 40, outputTokens: 9 },
});

// 3. The same as a command line names it.
assert.deepEqual(await modelFrom(`openai:llama3@${baseUrl}`, {}).complete(input), answer);
server.close();
server.closeAllConnections();

// 4. A script says the same every time: what it says follows from how many answers it sees.
const script = scriptedModel([
  { toolCalls: [{ name: "mail.send", args: { to: "bank" } }] },
  { text: "It is on its way." },
]);
const then = [...input.messages, { role: "assistant", text: "", toolCalls: answer.toolCalls }] as const;
for await (const event of script.stream?.({ ...input, messages: then }) ?? [])
  if (event.type === "text.delta") process.stdout.write(event.text);
process.stdout.write("\n");

// 5. What a model costs is data. Of one that is not listed nothing is guessed.
assert.deepEqual(priceFor("claude-haiku-4-5"), { inputPerMillion: 1, outputPerMillion: 5 });
assert.equal(priceFor("llama3"), undefined);
