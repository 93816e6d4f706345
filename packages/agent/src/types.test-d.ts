// What must not compile, and what must: read by `tsc` with the rest of the sources, never run.
import type { ToolCallResult } from "@spfunctions/contracts";
import type { Pack, Replay, Tool } from "@spfunctions/kernel";
import { govern, type Governed, type SimpleFunctionsAgent, type ToolInput, type ToolNames } from "./index.ts";

declare const reserve: Tool<"shop.reserve", { article: string; count?: number }, { id: string }>;
declare const prices: Tool<"shop.prices", { under: number }, number[]>;
declare const joined: readonly Tool[];
declare const given: Pack;
declare const replay: Replay;
declare const dynamic: string;
declare const pattern: `shop.${string}`;
declare const either: "shop.reserve" | "shop.prices";
declare const oneWrong: "shop.reserve" | "shop.reserv";
declare const agent: SimpleFunctionsAgent;
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type that is wanted
declare function takes<Type>(value: Type): void;

const policy = {};
const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" } as const;
type Shop = readonly [typeof reserve, typeof prices];
const shop: Governed<Shop> = govern({ packs: [reserve, prices], policy, principal });

// A tool by its name: what it takes, and what it gives.
takes<Promise<{ readonly output: { id: string } }>>(shop.call("shop.reserve", { article: "x" }));
takes<Promise<{ readonly output: number[] }>>(shop.stream("shop.prices", { under: 1 }).result);
shop.explain("shop.reserve", { article: "x" });
shop.explain("shop.reserve");
// @ts-expect-error there is no such tool
void shop.call("shop.reserv", { article: "x" });
// @ts-expect-error no such member
void shop.call("shop.reserve", { articel: "x" });
// @ts-expect-error a member too many
void shop.call("shop.reserve", { article: "x", cuont: 2 });
// @ts-expect-error a number is no article
void shop.call("shop.reserve", { article: 3 });
// @ts-expect-error no such option
void shop.call("shop.reserve", { article: "x" }, { idempotencykey: "k" });
// @ts-expect-error another type
takes<Promise<{ readonly output: { id: number } }>>(shop.call("shop.reserve", { article: "x" }));
// @ts-expect-error there is no such tool
void shop.stream("shop.reserv", { article: "x" });
// @ts-expect-error a number is no article
void shop.stream("shop.reserve", { article: 3 });
// @ts-expect-error no such option
void shop.stream("shop.reserve", { article: "x" }, { timeout: 1 });
// @ts-expect-error another type
takes<Promise<{ readonly output: string[] }>>(shop.stream("shop.prices", { under: 1 }).result);
// @ts-expect-error there is no such tool
shop.explain("shop.reserv");
// @ts-expect-error a number is no article
shop.explain("shop.reserve", { article: 3 });
// @ts-expect-error there is no such tool
shop.describe("shop.reserv");

// A name that only a run decides may be any, with any input.
takes<Promise<ToolCallResult>>(shop.call(dynamic, { any: 1 }));
takes<Promise<ToolCallResult>>(shop.call(pattern, { any: 1 }));
takes<Promise<ToolCallResult>>(shop.stream(dynamic, { any: 1 }).result);
shop.explain(dynamic, { any: 1 });
shop.describe(dynamic);
// @ts-expect-error of an unknown tool nothing is known
takes<Promise<{ readonly output: { id: string } }>>(shop.call(dynamic, { article: "x" }));

// One of several names.
takes<Promise<{ readonly output: { id: string } | number[] }>>(shop.call(either, { under: 1 }));
// @ts-expect-error one of them is no tool
void shop.call(oneWrong, { article: "x" });
async function through<Name extends ToolNames<Shop>>(name: Name, input: ToolInput<Shop, Name>) {
  return await shop.call(name, input);
}
takes<Promise<{ readonly output: { id: string } }>>(through("shop.reserve", { article: "x" }));
// @ts-expect-error there is no such tool
void through("shop.reserv", { article: "x" });

// Where only a run decides which tools there are, any name may be called; one that is known among them is typed all the same.
const some = govern({ packs: [joined, given, reserve], policy, principal });
takes<Promise<ToolCallResult>>(some.call("shop.refund", { any: 1 }));
takes<Promise<{ readonly output: { id: string } }>>(some.call("shop.reserve", { article: "x" }));
// @ts-expect-error a number is no article
void some.call("shop.reserve", { article: 3 });
takes<Promise<ToolCallResult>>(govern({ packs: [], policy, principal }).call("shop.refund", { any: 1 }));
takes<Promise<ToolCallResult>>(govern({ replay, policy, principal }).call("shop.refund", { any: 1 }));
takes<Promise<ToolCallResult>>(govern({ packs: joined, policy, principal }).stream("shop.refund", 1).result);
function anyOf<const Packs extends readonly Pack[]>(any: Governed<Packs>) {
  return any.call(dynamic, { any: 1 });
}
takes<Promise<ToolCallResult>>(anyOf(shop));

// A platform may have other tools than the types know: of those that they know, the inputs are checked.
takes<Promise<ToolCallResult>>(agent.call("weather.read", { city: "Oslo" }));
takes<Promise<ToolCallResult>>(agent.call(dynamic, { city: "Oslo" }));
takes<Promise<{ readonly output: { secret: string } }>>(
  agent.stream("keys.create", { scopes: ["read"] }).result,
);
// @ts-expect-error no such scope
void agent.call("keys.create", { scopes: ["root"] });
// @ts-expect-error no such member
void agent.stream("keys.create", { scope: ["read"] });
// @ts-expect-error a number is no key
void agent.explain("keys.revoke", { keyId: 1 });
// @ts-expect-error no such option
void agent.call("keys.create", {}, { idempotencykey: "x" });
