// One tool for each row of the annotation table: every side effect, every cost, open and closed.
import type { CostEffect, SideEffect } from "@spfunctions/contracts";
import { defineTool, type Tool } from "@spfunctions/kernel";
import { z } from "zod";

/** What was done, by tool: a call that was refused leaves nothing here. */
export type Deeds = { tool: string; accountId: string; input: unknown; traceId: string; key: string }[];

type Row = readonly [
  name: string,
  route: readonly ["GET" | "POST", string],
  sideEffect: SideEffect,
  costEffect: CostEffect,
];

const rows: readonly Row[] = [
  ["world.read", ["GET", "/api/agent/world"], "none", "api_cost"],
  ["research.query", ["GET", "/api/research"], "none", "search_cost"],
  ["markets.screen", ["GET", "/api/public/screen"], "none", "venue_request_cost"],
  ["brief.write", ["POST", "/api/brief"], "none", "llm_cost"],
  ["notes.add", ["POST", "/api/notes"], "user_write", "none"],
  ["sessions.touch", ["POST", "/api/sessions/touch"], "auth_telemetry_write", "none"],
  ["vault.open", ["POST", "/api/vault"], "secret", "none"],
  ["engine.start", ["POST", "/api/engine"], "runtime", "none"],
  ["paper.order", ["POST", "/api/paper/orders"], "paper_trade", "venue_request_cost"],
];

const input = z.strictObject({
  text: z.string().max(10_000).optional(),
  count: z.int().optional(),
  tags: z.array(z.string()).optional(),
  password: z.string().meta({ "x-sf-secret": true }).optional(),
});

export function classPack(deeds: Deeds): readonly Tool[] {
  const done = (
    tool: string,
    given: unknown,
    context: { principal: { accountId: string }; traceId: string; idempotencyKey: string },
  ) => {
    const { principal, traceId, idempotencyKey: key } = context;
    deeds.push({ tool, accountId: principal.accountId, input: given, traceId, key });
    return { tool, echo: given };
  };
  const output = z.strictObject({ tool: z.string(), echo: z.unknown() });
  const plain = rows.map(([name, [method, path], sideEffect, costEffect]) =>
    defineTool({
      name,
      description: `A tool of class ${sideEffect}, ${costEffect}.`,
      input,
      output,
      permissions: [`${name.split(".")[0]}:use`],
      sideEffect,
      costEffect,
      http: { method, path },
      sdk: { package: "@spfunctions/test", method: name },
      run: (given, context) => done(name, given, context),
    }),
  );
  return [
    ...plain,
    defineTool({
      name: "calendar.list",
      description: "The one read that is open to everybody.",
      input: z.strictObject({ day: z.string().optional() }),
      output,
      permissions: [],
      sideEffect: "none",
      costEffect: "none",
      access: { anonymousAllowed: true },
      http: { method: "GET", path: "/api/public/calendar" },
      sdk: { package: "@spfunctions/test", method: "calendar.list" },
      run: (given, context) => done("calendar.list", given, context),
    }),
    defineTool({
      name: "portfolio.state",
      description: "Reads what is one account's own.",
      input: z.strictObject({ book: z.string() }),
      output: z.strictObject({ account: z.string(), book: z.string() }),
      permissions: ["portfolio:read"],
      sideEffect: "none",
      costEffect: "api_cost",
      risk: ["user_data", "account_context"],
      http: { method: "GET", path: "/api/portfolio/{book}" },
      sdk: { package: "@spfunctions/test", method: "portfolio.state" },
      run: ({ book }, { principal: { accountId } }) => ({ account: accountId, book }),
    }),
    defineTool({
      name: "execution.place",
      description: "Places a live order.",
      input: z.strictObject({
        venue: z.string(),
        side: z.enum(["yes", "no"]),
        quantity: z.int(),
        limitPriceCents: z.int().optional(),
        dryRun: z.boolean(),
        confirm: z.string().optional(),
      }),
      output,
      permissions: ["execution:place"],
      sideEffect: "live_trade",
      costEffect: "venue_request_cost",
      trade: {
        venue: "/venue",
        side: "/side",
        quantity: "/quantity",
        limitPriceCents: "/limitPriceCents",
        dryRun: "/dryRun",
        confirm: "/confirm",
      },
      http: { method: "POST", path: "/api/execution" },
      sdk: { package: "@spfunctions/test", method: "execution.place" },
      run: (given, context) => done("execution.place", given, context),
    }),
    defineTool({
      name: "events.search",
      description: "Reserved: listed for review, never active.",
      status: "deferred",
      input,
      output,
      permissions: [],
      sideEffect: "none",
      costEffect: "api_cost",
      agent: { callable: false },
      http: { method: "GET", path: "/api/public/events" },
      run: (given, context) => done("events.search", given, context),
    }),
  ];
}
