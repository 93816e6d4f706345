// A platform with the markets that is sent anything at all, and must stay as well as it was.
import {
  type ContractTool,
  encodeToolInput,
  type HttpEnvelope,
  httpEnvelopeSchema,
  toolRouteOf,
} from "@spfunctions/contracts";
import { verifyAccount } from "@spfunctions/kernel";
import { expect } from "vitest";
import type { LogLine } from "../../packages/server/src/log-line.ts";
import { telling } from "../../packages/server/test-data/telling.ts";
import type { Way } from "../../packages/server/test-data/test-platform.ts";
import { marketsHouse, mighty, soundInputs } from "./markets-house.ts";
import type { Shape } from "./wrong-values.ts";

export type Input = Readonly<Record<string, unknown>>;
export type Said = { readonly status: number; readonly body: HttpEnvelope };

/** A platform that is asked for one account, and must be as well at the end of a test as at its beginning. */
export async function badInputHouse(way: Way = "embedded") {
  const logged: LogLine[] = [];
  const platform = await marketsHouse(way, { log: (line) => void logged.push(line) });
  const secret = await platform.key("acct_1", mighty);
  const sound = soundInputs(platform.ticker);
  const tools = platform.platform.manifest.tools.filter(({ name }) => Object.hasOwn(sound, name));
  expect(tools.length).toBe(Object.keys(sound).length);

  async function send(path: string, method: string, body?: string): Promise<Said> {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body }) };
    const answer = await platform.fetch(new Request(`${platform.baseUrl}${path}`, init));
    const text = await answer.text();
    expect(text).not.toMatch(telling);
    const said = { status: answer.status, body: httpEnvelopeSchema.parse(JSON.parse(text)) };
    expect([path.slice(0, 200), body?.slice(0, 500), said.status >= 500 ? said : "fine"]).toStrictEqual([
      path.slice(0, 200),
      body?.slice(0, 500),
      "fine",
    ]);
    return said;
  }

  async function isWell(): Promise<void> {
    expect(logged).toStrictEqual([]);
    expect(await send("/api/agent/world", "GET")).toMatchObject({ status: 200, body: { ok: true } });
    expect(await verifyAccount(platform.store, "acct_1")).toMatchObject({ status: "open" });
  }
  return { ...platform, send, sound, tools, isWell };
}

export type BadInputHouse = Awaited<ReturnType<typeof badInputHouse>>;

/** What a tool takes, and how it is sent. */
export function doorOf({ sound }: BadInputHouse, tool: ContractTool) {
  const route = toolRouteOf(tool);
  if (route === undefined) throw new Error(`${tool.name} has no route`);
  const { properties = {}, required = [] } = tool.input as Shape;
  return { route, properties, required, sound: sound[tool.name] ?? {}, inQuery: route.method === "GET" };
}

export const without = (input: Input, name: string): Input =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));

/** A request with one member spelled as it is given: in the path, in the query, or as JSON. */
export async function sendWith(
  at: BadInputHouse,
  tool: ContractTool,
  name: string,
  text: string,
): Promise<Said> {
  const { route, sound, inQuery } = doorOf(at, tool);
  const rest = encodeToolInput(route, route.params.includes(name) ? sound : without(sound, name));
  if (route.params.includes(name)) {
    const path = rest.path.replace(encodeURIComponent(String(sound[name])), encodeURIComponent(text));
    return await at.send(path, route.method, rest.body);
  }
  if (inQuery) {
    const mark = rest.path.includes("?") ? "&" : "?";
    return await at.send(`${rest.path}${mark}${encodeURIComponent(name)}=${encodeURIComponent(text)}`, "GET");
  }
  const members = rest.body === undefined || rest.body === "{}" ? "" : `,${rest.body.slice(1, -1)}`;
  return await at.send(rest.path, route.method, `{${JSON.stringify(name)}:${text}${members}}`);
}

/** Whether it was refused as bad input, with the member named. */
export function refusedAt({ status, body }: Said, name: string): unknown {
  if (body.ok) return "it went through";
  const { code, message, details } = body.error;
  const isNamed = new RegExp(`/${name}\\b|'${name}'`).test(`${message} ${JSON.stringify(details?.path)}`);
  return status === 400 && code === "invalid_input" && isNamed ? "refused" : [status, code, message];
}
