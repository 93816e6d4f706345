// An account whose keys have a tool that goes where it is sent, as far as an operator lets it.
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import type { CapabilityGrant } from "@spfunctions/contracts";
import { dataIn } from "./asking-account.ts";
import { type Answer, ask, type Asked, testPlatform, type TestPlatform, type Way } from "./test-platform.ts";

export const page = "https://example.com/page";

/** What the platform's tool reached. */
type Reached = string[];

function webTool(reached: Reached) {
  return defineTool({
    name: "web.fetch",
    description: "Goes where it is sent.",
    input: z.strictObject({ url: z.string() }),
    output: z.strictObject({ reached: z.string() }),
    permissions: ["net"],
    sideEffect: "none",
    costEffect: "api_cost",
    capability: { kind: "net", url: "/url" },
    http: { method: "POST", path: "/api/web" },
    run: async ({ url }, { authorize }) => {
      const { url: to } = await authorize(url);
      reached.push(to);
      return { reached: to };
    },
  });
}

export type ReachingAccount = {
  readonly platform: TestPlatform;
  readonly reached: Reached;
  /** A key without admin, and its id. */
  readonly agent: string;
  readonly agentId: string;
  readonly operator: string;
  readonly other: string;
  readonly request: (path: string, asked: Asked) => Promise<Answer>;
  /** Sends the tool somewhere, as a model does unless told. */
  readonly fetch: (key: string, url?: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** The one question there is, after the agent was refused. */
  readonly asked: (url?: string) => Promise<CapabilityGrant>;
  readonly list: (key: string, query?: string) => Promise<CapabilityGrant[]>;
  readonly answer: (grantId: string, key: string, body: unknown) => Promise<Answer>;
};

export async function reachingAccount(
  way: Way = "embedded",
  options: Parameters<typeof testPlatform>[1] = {},
): Promise<ReachingAccount> {
  const reached: Reached = [];
  const platform = await testPlatform(way, { packs: [webTool(reached)], ...options });
  const made = await platform.platform.createKey("acct_1", { name: "agent", scopes: ["read", "write"] });
  const operator = await platform.key("acct_1", { name: "operator", scopes: ["admin"] });
  const other = await platform.key("acct_1", { name: "other", scopes: ["read", "write"] });
  const request: ReachingAccount["request"] = (path, asked) => ask(platform, path, asked);
  const fetch: ReachingAccount["fetch"] = (key, url = page, headers = { "x-sf-origin": "model" }) =>
    request("/api/web", { key, body: { url }, headers });
  const list: ReachingAccount["list"] = async (key, query = "") =>
    dataIn<{ items: CapabilityGrant[] }>((await request(`/api/grants${query}`, { key })).body).items;
  return {
    platform,
    reached,
    agent: made.secret,
    agentId: made.key.keyId,
    operator,
    other,
    request,
    fetch,
    list,
    asked: async (url) => {
      await fetch(made.secret, url);
      const grant = (await list(operator, "?status=pending")).at(-1);
      if (grant === undefined) throw new Error("nobody was asked");
      return grant;
    },
    answer: (grantId, key, body) => request(`/api/grants/${grantId}/answer`, { key, body }),
  };
}
