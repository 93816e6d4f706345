import { describe, expect, test } from "vitest";
import { acceptedBy } from "../../test-data/strict-record.ts";
import {
  compatNameOf,
  compatNameSchema,
  isReservedName,
  matchesToolPattern,
  toolNameSchema,
  toolPatternSchema,
} from "./tool-name.ts";

const notText = [null, undefined, 7, true, {}, [], ["world.read"]];
const strangers = [
  "",
  ".",
  "..",
  "world",
  "world.",
  ".read",
  "world..read",
  "World.read",
  "world.Read",
  "world-read",
  "world read",
  "world.read ",
  "world.read\n",
  "world.read\0",
  "world/read",
  "world.1read",
  "world._read",
  "wörld.read",
  "世界.read",
  "\ud800.read",
  "*",
  "*.read",
  "world.*.read",
  "world.re*",
  "__proto__",
  "__proto__.read",
  "world.__proto__",
  "hasOwnProperty",
  `w.${"x".repeat(200)}`,
];

const messageOf = (name: unknown) => toolNameSchema.safeParse(name).error?.issues[0]?.message;

// proves PORT-1.12
describe("a canonical name", () => {
  test("is lower-case words joined by dots, up to 64 characters", () => {
    const names = ["world.read", "a.b", "fs.read_text", "markets.kalshi.search2", `w.${"x".repeat(62)}`];
    expect(acceptedBy(toolNameSchema, names)).toStrictEqual(names);
  });

  // proves LIVE-3.8
  test("is nothing else", () => {
    expect(
      acceptedBy(toolNameSchema, [...notText, ...strangers, "world.*", `w.${"x".repeat(63)}`]),
    ).toStrictEqual([]);
    expect(messageOf("world")).toBe(
      "expected a canonical tool name: lower-case words joined by dots, like world.read",
    );
  });

  test.each([
    ["payInvoice", "pay.invoice"],
    ["pay_invoice", "pay.invoice"],
    ["pay-invoice", "pay.invoice"],
    ["PayInvoice", "pay.invoice"],
    ["listOpenInvoices", "list.open_invoices"],
    ["getHTTPResponse", "get.http_response"],
    ["github.createIssue", "github.create_issue"],
    ["mcp__github__create_issue", "mcp.github.create_issue"],
    ["tools/call", "tools.call"],
    ["lookup2", undefined],
    ["pay", undefined],
    ["2fa_check", undefined],
    ["payÜber", undefined],
    ["payThen", undefined],
    ["webhooksCreate", undefined],
    ["payInvoice".repeat(7), undefined],
  ])(
    "a name in the style of other frameworks is refused with the name that is accepted: %s",
    (name, near) => {
      const hint = near === undefined ? "" : `; ${near} would be accepted`;
      const words = "expected a canonical tool name: lower-case words joined by dots, like world.read";
      expect(toolNameSchema.safeParse(name).error?.issues.at(-1)?.message).toBe(`${words}${hint}`);
      expect(toolPatternSchema.safeParse(name).error?.issues.at(-1)?.message).toMatch(
        new RegExp(
          `^expected a canonical tool name or a namespace pattern, like world.read or world.\\*${hint}$`,
        ),
      );
      expect(near === undefined || toolNameSchema.safeParse(near).success).toBe(true);
    },
  );

  test("has no segment that a language would take for its own", () => {
    const names = ["constructor.read", "world.constructor", "world.prototype", "world.then", "then.read.x"];
    expect(names.map(messageOf)).toStrictEqual(
      names.map(() => "a tool name cannot have the segment constructor, prototype, then"),
    );
  });

  // proves KEY-12.17, KEY-19.9
  test("get_world_state is not canonical", () => {
    expect(messageOf("get_world_state")).toBe("a retired name is never canonical");
  });

  // proves KEY-19.10
  test("get_regime_history is not canonical", () => {
    expect(messageOf("get_regime_history")).toBe("a retired name is never canonical");
  });

  test("is never a compatName, and a compatName is never canonical", () => {
    expect(toolNameSchema.safeParse("world_read").success).toBe(false);
    expect(compatNameSchema.safeParse("world.read").success).toBe(false);
  });
});

test("a pattern is a canonical name, or a namespace and .*", () => {
  const patterns = ["world.read", "world.*", "markets.kalshi.*", `${"x".repeat(64)}.*`];
  expect(acceptedBy(toolPatternSchema, patterns)).toStrictEqual(patterns);
  expect(
    acceptedBy(toolPatternSchema, [...notText, ...strangers, "world**", ".*", `${"x".repeat(65)}.*`]),
  ).toStrictEqual([]);
});

test("a pattern matches its own name, or whatever lies under its namespace", () => {
  const cases: [name: string, pattern: string, matches: boolean][] = [
    ["world.read", "world.read", true],
    ["world.read", "world.*", true],
    ["world.read.deep", "world.*", true],
    ["world.read.deep", "world.read.*", true],
    ["world.read", "world.read.*", false],
    ["world.read.deep", "world.read", false],
    ["worlds.read", "world.*", false],
    ["my.world.read", "world.*", false],
    ["worldxread", "world.read", false],
    ["world.reads", "world.read", false],
    ["world.read", "World.*", false],
  ];
  expect(cases.map(([name, pattern]) => [name, pattern, matchesToolPattern(name, pattern)])).toStrictEqual(
    cases,
  );
});

test("a compatName is lower-case letters, digits and _, up to 64 characters", () => {
  const names = ["world_read", "w", "a1", "x".repeat(64)];
  expect(acceptedBy(compatNameSchema, names)).toStrictEqual(names);
  const refused = [
    "",
    "_w",
    "1w",
    "World",
    "w-r",
    "w r",
    "w\n",
    "wörld",
    "__proto__",
    "x".repeat(65),
    "world.read",
  ];
  expect(acceptedBy(compatNameSchema, [...refused, ...notText])).toStrictEqual([]);
});

test("the usual compatName has underscores for dots", () => {
  expect(compatNameOf("markets.kalshi.search")).toBe("markets_kalshi_search");
  expect(compatNameSchema.safeParse(compatNameOf(`w.${"x".repeat(62)}`)).success).toBe(true);
});

// proves KEY-10.23, KEY-10.24, KEY-10.25, KEY-10.26, KEY-10.27
// proves RUN-3.9
test("these names, and everything under events, are reserved", () => {
  const reserved = [
    "events.search",
    "events.anything.at_all",
    "market.related",
    "auth.status",
    "investigations.create",
    "intents.propose",
    "webhooks.create",
  ];
  const free = [
    "event.search",
    "market.read",
    "market.related.x",
    "markets.related",
    "auth.login",
    "webhooks.list",
  ];
  expect([...reserved, ...free].filter(isReservedName)).toStrictEqual(reserved);
});
