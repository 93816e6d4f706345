// What must not compile, and what must: read by `tsc` with the rest of the sources, never run.
import type {
  AgentEvent,
  Approval,
  CapabilityGrant,
  ContractManifest,
  ContractTool,
  Receipt,
  StandingGrant,
} from "@spfunctions/contracts";
import {
  type Answering,
  type AnswerOf,
  connectEmbedded,
  type InputOf,
  type Listing,
  type OutputOf,
  SimpleFunctions,
} from "./index.ts";

declare const signal: AbortSignal;
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type that is wanted
declare function takes<Type>(value: Type): void;

const sf = new SimpleFunctions({ apiKey: process.env["SF_API_KEY"] });
takes<boolean>(sf.hasApiKey());
takes<SimpleFunctions>(connectEmbedded({ fetch: () => new Response() }, { apiKey: undefined }));
// @ts-expect-error an unknown option
takes<SimpleFunctions>(new SimpleFunctions({ apikey: "x" }));
// @ts-expect-error a platform in this process is not reached by another fetch
takes<SimpleFunctions>(connectEmbedded({ fetch: () => new Response() }, { fetch }));
// @ts-expect-error the key cannot be read back
takes<unknown>(sf.apiKey);

// Methods take what their tools take, and give what those give.
takes<Promise<ContractManifest>>(sf.manifest.list());
takes<Promise<ContractTool>>(sf.manifest.get("world.read"));
takes<Promise<ContractTool>>(sf.manifest.get({ name: "world.read" }, { signal, timeoutMs: 1 }));
takes<Promise<{ readonly secret: string }>>(sf.keys.create({ scopes: ["read"] }, { idempotencyKey: "x" }));
takes<Promise<{ readonly receipt?: Receipt; readonly replayed: boolean }>>(sf.keys.list().withReceipt());
takes<AsyncIterable<{ readonly keyId: string }>>(sf.keys.list());
// @ts-expect-error a name is needed
takes<unknown>(sf.manifest.get());
// @ts-expect-error no such scope
takes<unknown>(sf.keys.create({ scopes: ["root"] }));
// @ts-expect-error no such member
takes<unknown>(sf.keys.create({ scope: ["read"] }));
// @ts-expect-error no such option
takes<unknown>(sf.keys.create({}, { idempotencykey: "x" }));
// @ts-expect-error no such method
takes<unknown>(sf.keys.destroy());
// @ts-expect-error one answer is no list
takes<AsyncIterable<unknown>>(sf.keys.create());
// @ts-expect-error what comes back is not changed
(await sf.runtime.status()).state = "stopped";

// By name the same, where the name is known; otherwise anything.
takes<Answering<{ readonly state: "running" | "stopped" }>>(sf.call("runtime.status"));
takes<AsyncIterable<{ readonly keyId: string }>>(sf.call("keys.list", { limit: 5 }));
takes<Promise<unknown>>(sf.call("weather.read", { city: "Oslo" }, { signal }));
takes<Promise<unknown>>(sf.call("weather.read"));
// @ts-expect-error a known name with another's input
takes<unknown>(sf.call("keys.list", { city: "Oslo" }));
// @ts-expect-error a known name without the input it needs
takes<unknown>(sf.call("keys.revoke"));
// @ts-expect-error of an unknown tool nothing is known
takes<Promise<string>>(sf.call("weather.read"));

takes<InputOf<"tokens.create">>({ origin: "https://example.com", ttlSeconds: undefined });
takes<(output: OutputOf<"keys.list">) => string | undefined>((output) => output.next);
takes<(answer: AnswerOf<"keys.list">) => Listing<OutputOf<"keys.list">, unknown>>((answer) => answer);
// @ts-expect-error an origin is needed
takes<InputOf<"tokens.create">>({});

for await (const { event, cursor } of sf.events({ after: "x", signal })) {
  takes<AgentEvent>(event);
  takes<string>(cursor);
}
// @ts-expect-error no such option
takes<unknown>(sf.events({ run: "x" }));

// What a person is asked, and answers.
takes<AsyncIterable<Approval>>(sf.approvals.list({ status: "any" }));
takes<Promise<Approval>>(sf.approvals.get("appr_1", { waitMs: 1, signal }));
takes<Promise<Approval>>(sf.approvals.answer("appr_1", { answer: "approved_for_session", fixed: ["/a"] }));
takes<Promise<StandingGrant[]>>(sf.approvals.grants());
takes<Promise<void>>(sf.approvals.revoke("grant_1"));
// @ts-expect-error no such answer
takes<unknown>(sf.approvals.answer("appr_1", { answer: "approve" }));
// @ts-expect-error whose answer it is, the key says
takes<unknown>(sf.approvals.answer("appr_1", { answer: "approved", decidedBy: "me" }));

// What may be reached, and who says so.
takes<AsyncIterable<CapabilityGrant>>(sf.grants.list({ status: "any", limit: 5, signal }));
takes<Promise<CapabilityGrant>>(sf.grants.grant({ capability: "net:example.com", scope: "until", forMs: 1 }));
takes<Promise<CapabilityGrant>>(sf.grants.answer("cap_1", { answer: "granted", scope: "session" }));
takes<Promise<CapabilityGrant>>(sf.grants.answer("cap_1", { answer: "revoked", note: "enough" }, { signal }));
// @ts-expect-error no such answer
takes<unknown>(sf.grants.answer("cap_1", { answer: "grant" }));
// @ts-expect-error how far a no goes is not said
takes<unknown>(sf.grants.answer("cap_1", { answer: "denied", scope: "once" }));
// @ts-expect-error whose word it is, the key says
takes<unknown>(sf.grants.grant({ capability: "net", decidedBy: "me" }));
