// Everything that a client can do with a key, and much that it should not: what comes of it is printed, whatever it is. Keys that
// are made on the way are told to whoever started this, and to nobody else.
import { SimpleFunctions } from "@spfunctions/sdk";
import { inspect } from "node:util";

const { SF_API_KEY: apiKey = "", SF_ADMIN_KEY: adminKey = "", SF_API_URL: baseUrl = "" } = process.env;
const client = new SimpleFunctions({ apiKey, baseUrl, retries: 0 });
const admin = new SimpleFunctions({ apiKey: adminKey, baseUrl, retries: 0 });

async function show(what: string, act: () => unknown): Promise<void> {
  try {
    console.log(what, inspect(await act(), { depth: 20 }));
  } catch (error) {
    console.error(what, error, JSON.stringify(error), inspect(error, { depth: 20, showHidden: true }));
  }
}

const made = await admin.keys.create({ name: "canary", scopes: ["read", "write"] });
process.send?.(made.secret);
const second = new SimpleFunctions({ apiKey: made.secret, baseUrl, retries: 0 });
await show("clients", () => [client, admin, second, JSON.stringify([client, second])]);

/* oxlint-disable no-await-in-loop -- one after the other, so that what is printed can be read */
for (const [key, own] of [
  [apiKey, client],
  [made.secret, second],
] as const) {
  await show("status", () => own.runtime.status().withReceipt());
  await show("refused", () => own.runtime.stop());
  await show("as an argument", () =>
    kept(called(own, "notes.add", { text: `my key is ${key}`, password: key })),
  );
  await show("as a tag", () => kept(called(own, "world.read", { text: key, tags: [key] })));
  await show("as a path", () => kept(called(own, "portfolio.state", { book: key })));
  await show("as a name", () => own.call(key, {}));
  await show("as an unknown member", () => own.call("notes.add", { [key]: key }));
  await show("as an idempotency key", () => own.call("notes.add", { text: "a" }, { idempotencyKey: key }));
  await show("of a wrong type", () => own.call("notes.add", { text: [key] }));
  await show("raw", () => raw(key));
}
/* oxlint-enable no-await-in-loop */
await show("made again", () => admin.keys.create({ name: apiKey }));
const rotated = await admin.keys.rotate(made.key.keyId);
process.send?.(rotated.secret);
await show("list", () => admin.keys.list());
await show("revoked", () => admin.keys.revoke(made.key.keyId));
await show("after that", () => second.runtime.status());
await show("events", async () => {
  const seen: unknown[] = [];
  for await (const one of admin.events({ after: "start", signal: AbortSignal.timeout(1500) })) seen.push(one);
  return seen;
});
process.exit();

/** By a name that the compiler does not look up: the tools of this platform are the test's own. */
function called(own: SimpleFunctions, tool: string, input: object): ReturnType<typeof client.call> {
  return own.call(tool, input);
}

/** What is said about an answer; in the answer itself these tools echo what they were given, to whoever gave it. */
async function kept(answer: ReturnType<typeof client.call>): Promise<unknown> {
  const { data: _, ...about } = await answer.withReceipt();
  return about;
}

/** What no client of ours would send. */
async function raw(key: string): Promise<unknown> {
  const answers = [
    fetch(`${baseUrl}/api/notes`, post(key, `{"text": "${key}", broken`)),
    fetch(`${baseUrl}/api/notes?${key}=${key}`, post(key, "{}")),
    fetch(`${baseUrl}/${key}/${key}`, { headers: { authorization: `Bearer ${key}` } }),
    fetch(`${baseUrl}/api/runtime`, { headers: { authorization: key } }),
    fetch(`${baseUrl}/api/runtime`, { headers: { authorization: `Basic ${btoa(key)}` } }),
    fetch(`${baseUrl}/api/runtime`, {
      headers: { authorization: `Bearer ${key}x`, "user-agent": key, cookie: key },
    }),
    fetch(`${baseUrl}/api/runtime`, {
      headers: { authorization: `Bearer ${key}`, traceparent: key, "x-sf-origin": key },
    }),
    fetch(`${baseUrl}/api/events?after=${key}`, {
      headers: { authorization: `Bearer ${key}`, "last-event-id": key },
    }),
    fetch(`${baseUrl}/api/runs/${key}/events`, { headers: { authorization: `Bearer ${key}` } }),
  ];
  return await Promise.all(
    answers.map(async (answer) => [(await answer).status, await (await answer).text()]),
  );
}

function post(key: string, body: string): RequestInit {
  return {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  };
}
