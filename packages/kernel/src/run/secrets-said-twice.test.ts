// S1: a secret that only its name gives away is hidden also where it is said again without its name.
import { ProviderFailedError, UpstreamError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { collected, keptText, openDesk } from "../../test-data/call-desk.ts";
import { inTurn, openRunDesk, type RunDeskOptions, saying } from "../../test-data/run-desk.ts";

const secret = "vK3nQ8sLw2Zr7Tm5";
const twice = `sent ${secret}, where API_KEY=${secret}`;
const thrower = (error: unknown) => () => {
  throw error;
};

test.each<[string, unknown]>([
  ["an error's message", new Error(twice)],
  ["an error and its cause", new Error(`got ${secret}`, { cause: new Error(`API_KEY=${secret}`) })],
  ["an error of ours, its details and its cause", oursWith(`got ${secret}`, { said: `API_KEY=${secret}` })],
  ["a text", twice],
  ["an object", { apiKey: secret, message: `got ${secret}` }],
])("in %s that a tool throws, what is named once is hidden everywhere", async (_, thrown) => {
  const desk = openDesk({ deed: thrower(thrown) });
  const outcome = await desk.call({ tool: "notes.write", input: { text: "x" } });
  expect(outcome.type).toBe("failed");
  const error = outcome.type === "failed" ? outcome.error : undefined;
  const shown = [
    outcome,
    error?.message,
    error?.stack,
    String((error?.cause as Error | undefined)?.stack),
    desk.events,
  ];
  expect(`${JSON.stringify(shown)} ${await keptText(desk.store.inner)}`).not.toContain(secret);
});

/** One that was changed after it was made. */
function oursWith(message: string, details: object): UpstreamError {
  const error = new UpstreamError("x", { details: { reason: "x" } });
  return Object.assign(error, { message, details });
}

test.each<[string, RunDeskOptions, unknown]>([
  ["an objective", { script: saying("done") }, twice],
  ["an objective of several members", { script: saying("done") }, { apiKey: secret, task: `use ${secret}` }],
  ["what a model says", { script: saying(twice) }, "go"],
  [
    "what a model says while it calls a tool",
    {
      script: saying(
        { raw: { text: `I send ${secret}`, toolCalls: [call()], finish: "tool_calls", usage: usage() } },
        "done",
      ),
    },
    "go",
  ],
  ["what an adapter throws", { script: inTurn(new ProviderFailedError(twice), "done") }, "go"],
])("in %s, what is named once is hidden everywhere", async (_, options, objective) => {
  const desk = openRunDesk(options);
  const handle = await desk.runs.start({ objective: objective as string });
  const seen = [
    await handle.result(),
    await collected(handle.stream({ signal: AbortSignal.timeout(50) })).catch(() => []),
  ];
  const prompts = desk.model.asked.map(({ messages }) => messages);
  expect(`${JSON.stringify([seen, prompts])} ${await keptText(desk.store.inner)}`).not.toContain(secret);
});

function call() {
  return { id: "t1", name: "notes.write", args: { text: "x", apiKey: secret } };
}

function usage() {
  return { inputTokens: 10, outputTokens: 5 };
}
