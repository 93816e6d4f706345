import { InvalidManifestError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hostileValues } from "../../../contracts/test-data/hostile-values.ts";
import { plainDigest } from "../../../contracts/test-data/samples.ts";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { type AnySpec, orderSpec, reachableFrom, toolSpec, toolWith } from "../../test-data/tool-samples.ts";
import { defineTool } from "./define-tool.ts";

const defining = (changes: object) => refusalOf(() => defineTool({ ...toolSpec(), ...changes }));

describe("a tool says what it does, or does not exist (G1)", () => {
  test.each([
    [
      "sideEffect",
      "invalid tool notes.read: it states no sideEffect; say what it changes: none, user_write, secret, runtime, paper_trade, live_trade …",
    ],
    [
      "costEffect",
      "invalid tool notes.read: it states no costEffect; say what it costs: none, api_cost, search_cost, venue_request_cost, llm_cost",
    ],
    [
      "permissions",
      "invalid tool notes.read: it states no permissions; list the permissions it needs, or [] for none",
    ],
    ["run", "invalid tool notes.read: it states no run; give the function"],
  ])("without %s it is refused, and the message says what is missing", (field, message) => {
    const error = defining({ [field]: undefined });
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toBe(message);
    expect(error.details).toStrictEqual({ tool: "notes.read", path: `/${field}`, reason: "not_stated" });
  });

  test.each([
    ["name", "/name: missing; expected string"],
    ["description", "/description: missing; expected string"],
    ["input", "input: expected a Standard Schema (zod and others) or a JSON Schema object"],
    ["output", "output: expected a Standard Schema (zod and others) or a JSON Schema object"],
  ])("without %s it is refused by name", (field, message) => {
    const error = defining({ [field]: undefined });
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toContain(message);
  });

  test("a name that other frameworks use is refused with the name that would be accepted", () => {
    expect(defining({ name: "payInvoice" }).message).toBe(
      "invalid tool payInvoice: /name: expected a canonical tool name: lower-case words joined by dots, like world.read; pay.invoice would be accepted",
    );
  });

  test.each<[object, string]>([
    [
      { name: "notes.readAll" },
      "invalid tool notes.readAll: /name: expected a canonical tool name: lower-case words joined by dots, like world.read",
    ],
    [{ sideEffect: "write" }, "invalid tool notes.read: /sideEffect: expected a sideEffect: one of "],
    [
      { http: { method: "GET", path: "/api/sales/:article" } },
      "invalid tool notes.read: /http/path: expected a path under /api/, of letters, digits, _ and -, with parameters as in {article}",
    ],
  ])("what is wrong is said once, of the tool and of what its author has stated: %j", (given, message) => {
    const error = defining(given);
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error.message).not.toContain("; /");
  });

  test.each([undefined, null, {}, [], 0, "notes.read"])("%j is no spec", (spec) => {
    expect(refusalOf(() => defineTool(spec as never)).message).toBe(
      "invalid tool without a name: it states no sideEffect; say what it changes: none, user_write, secret, runtime, paper_trade, live_trade …",
    );
  });

  test.each(["run", "reconcile"])("%s is a function", (field) => {
    for (const value of [null, "code", {}, []]) {
      const error = defining({ [field]: value });
      expect(error.message).toBe(`invalid tool notes.read: ${field} is not a function`);
      expect(error.details?.path).toBe(`/${field}`);
    }
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "1000", null, 1000n])(
    "%s is no timeoutMs",
    (timeoutMs) => {
      expect(defining({ timeoutMs }).message).toBe(
        "invalid tool notes.read: timeoutMs is not a whole number of milliseconds from 1 to 2147483647",
      );
    },
  );

  test.each([1, 60_000, 2 ** 31 - 1])("%s is a timeoutMs", (timeoutMs) => {
    expect(toolWith({ timeoutMs }).contract.name).toBe("notes.read");
  });

  const classes = [
    "everything",
    "",
    "None",
    "llm_cost ",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    0,
    null,
  ];
  test.each(classes)("%j is no effect class", (effect) => {
    for (const field of ["sideEffect", "costEffect"]) {
      const error = defining({ [field]: effect });
      expect(error).toBeInstanceOf(InvalidManifestError);
      expect(error.details?.path).toBe(`/${field}`);
    }
  });
});

describe("what a spec says wrongly is refused, and never read as the default (G1)", () => {
  test.each([
    ["permissions: a text", { permissions: "net" }],
    ["permissions: null", { permissions: null }],
    ["permissions: a number", { permissions: 5 }],
    ["permissions: an unreadable word", { permissions: ["Not A Permission"] }],
    ["risk: a text", { risk: "" }],
    ["risk: an unknown one", { risk: ["harmless"] }],
    ["risk: null", { risk: null }],
    ["agent: false", { agent: false }],
    ["agent: null", { agent: null }],
    ["agent.callable: null", { agent: { callable: null } }],
    ["agent.defaultEnabled: null", { agent: { defaultEnabled: null } }],
    ["agent.callable misspelt", { agent: { calable: false } }],
    ["agent.name", { agent: { name: "other.tool" } }],
    ["access: null", { access: null }],
    ["access.anonymousAllowed: yes", { access: { anonymousAllowed: "yes" } }],
    ["access: unknown key", { access: { anonymousAllowed: false, everybody: true } }],
    ["authRequired: null", { authRequired: null }],
    ["status: null", { status: null }],
    ["status: unknown", { status: "live" }],
    ["replay: false", { replay: false }],
    ["replay.replayable: null", { replay: { replayable: null } }],
    ["replay.replayable misspelt", { replay: { replyable: false } }],
    ["idempotency: null", { idempotency: null }],
    ["idempotency: a text", { idempotency: "key" }],
    ["capability misspelt", { capabilty: { kind: "net", url: "/url" } }],
    ["timeoutMs misspelt", { timeoutMS: 5 }],
    ["trade: a pointer missing", { trade: { venue: "/venue" } }],
    ["digest: chosen by the author", { digest: `sha256:${"0".repeat(64)}` }],
    ["compatName: chosen by the author", { compatName: "other_tool" }],
  ])("%s", (_, changes) => {
    expect(defining(changes)).toBeInstanceOf(InvalidManifestError);
  });

  const fields = Object.keys(orderSpec()).filter((field) => !["input", "output", "run"].includes(field));
  test.each(fields)("hostile values as %s make no tool and no other fault", (field) => {
    const refused: [string, boolean][] = [];
    for (const [name, make] of hostileValues) {
      const value = make();
      const isFine =
        value === undefined ||
        (typeof value === "boolean" && field === "authRequired") ||
        (typeof value === "string" && value !== "" && ["title", "description"].includes(field));
      if (isFine) continue;
      const spec = { ...orderSpec(), [field]: value } as AnySpec;
      refused.push([name, refusalOf(() => defineTool(spec)) instanceof InvalidManifestError]);
    }
    expect(refused.filter(([, isRefused]) => !isRefused)).toStrictEqual([]);
    expect(refused.length).toBeGreaterThan(30);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("a name that another language part owns is no name", () => {
    for (const name of [
      "__proto__",
      "constructor.read",
      "notes.then",
      "a.prototype",
      "notes",
      "Notes.read",
      "",
    ]) {
      expect(defining({ name })).toBeInstanceOf(InvalidManifestError);
    }
  });
});

describe("every promise of the manifest is kept here too", () => {
  const open = { access: { anonymousAllowed: true }, authRequired: false };
  test.each<[string, Partial<AnySpec>, string]>([
    ["anonymous_with_auth", { ...open, authRequired: true }, "anonymousAllowed contradicts authRequired"],
    [
      "anonymous_with_side_effect",
      { ...open, sideEffect: "user_write" },
      "anonymousAllowed needs sideEffect none",
    ],
    ["anonymous_with_cost", { ...open, costEffect: "api_cost" }, "anonymousAllowed needs costEffect none"],
    ["anonymous_with_user_data", { ...open, risk: ["user_data"] }, "anonymousAllowed cannot read user_data"],
    [
      "user_data_without_auth",
      { authRequired: false, permissions: ["user_data"] },
      "user_data needs authRequired",
    ],
    [
      "default_with_side_effect",
      { sideEffect: "user_write", agent: { defaultEnabled: true } },
      "agent.defaultEnabled needs sideEffect none",
    ],
    [
      "default_not_callable",
      { agent: { callable: false, defaultEnabled: true } },
      "agent.defaultEnabled needs agent.callable",
    ],
    [
      "secret_callable",
      { sideEffect: "secret", agent: { callable: true } },
      "a tool of class secret is never agent.callable",
    ],
    [
      "live_trade_without_trade",
      { sideEffect: "live_trade" },
      "live_trade needs trade: the JSON pointers its guardrails are read from",
    ],
    ["reserved_name_active", { name: "events.search" }, "a reserved name is never active"],
    [
      "reserved_name_callable",
      { name: "auth.status", status: "deferred" },
      "a reserved name is never agent.callable",
    ],
  ])("%s", (reason, changes, message) => {
    const error = defining(changes);
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toBe(`invalid manifest: ${changes.name ?? "notes.read"}: ${message}`);
    expect(error.details).toMatchObject({ reason, tool: changes.name ?? "notes.read" });
  });
});

describe("what an author leaves out is the safe thing", () => {
  test("a read: only its own account's principals, natural, offered to agents", () => {
    const { digest: _, ...contract } = toolWith().contract;
    expect(contract).toStrictEqual({
      name: "notes.read",
      compatName: "notes_read",
      title: "notes.read",
      description: "Reads a note.",
      status: "implemented",
      stability: "experimental",
      authRequired: true,
      access: { anonymousAllowed: false },
      permissions: [],
      sideEffect: "none",
      costEffect: "none",
      risk: [],
      idempotency: { type: "natural" },
      input: { type: "object" },
      output: {},
      agent: { callable: true, defaultEnabled: true, name: "notes.read" },
      traceEvents: [],
      replay: { replayable: true, match: "tool+inputHash" },
    });
  });

  test.each([
    ["auth_telemetry_write", ["account_context"]],
    ["user_write", ["state_mutation"]],
    ["secret", ["secret"]],
    ["runtime", ["runtime_control"]],
    ["paper_trade", ["paper_trade"]],
    ["live_trade", ["live_trade"]],
  ] as const)("%s: repeated never, offered by default never, its risk named", (sideEffect, risk) => {
    const { trade } = orderSpec();
    const { contract } = toolWith({ sideEffect, ...(sideEffect === "live_trade" && trade ? { trade } : {}) });
    expect(contract.idempotency).toStrictEqual({ type: "none" });
    expect(contract.agent.defaultEnabled).toBe(false);
    expect(contract.agent.callable).toBe(sideEffect !== "secret");
    expect(contract.risk).toStrictEqual(risk);
  });

  test.each([
    ["api_cost", ["paid_upstream"]],
    ["search_cost", ["search"]],
    ["venue_request_cost", ["venue"]],
    ["llm_cost", ["llm"]],
  ] as const)("%s names its risk", (costEffect, risk) => {
    expect(toolWith({ costEffect }).contract.risk).toStrictEqual(risk);
  });

  test("who may call anonymously needs no auth", () => {
    expect(toolWith({ access: { anonymousAllowed: true } }).contract.authRequired).toBe(false);
  });
});

describe("the tool that is returned", () => {
  const spec = orderSpec({ run: () => "run", reconcile: () => ({ status: "unknown" }) });
  const tool = defineTool(spec);

  test("has nothing that could run, anywhere, and is frozen to the ground", () => {
    const parts = [...reachableFrom(tool)];
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((part) => typeof part === "function")).toStrictEqual([]);
    expect(parts.filter((part) => !Object.isFrozen(part))).toStrictEqual([]);
    expect(Reflect.ownKeys(tool)).toStrictEqual(["contract"]);
  });

  test("owes nothing to the spec: what its author changes later changes nothing", () => {
    const input = { type: "object", properties: { a: { type: "string" } } };
    const permissions = ["notes:read"];
    const made = toolWith({ input, permissions });
    const before = JSON.stringify(made);
    permissions.push("everything");
    input.properties.a.type = "number";
    expect(JSON.stringify(made)).toBe(before);
  });

  test("is made of what each field said first: a getter is asked once", () => {
    const asked = new Map<string, number>();
    const changing = Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(toolSpec()).map(([field, value]) => [
          field,
          {
            enumerable: true,
            get: () => {
              asked.set(field, (asked.get(field) ?? 0) + 1);
              return value;
            },
          },
        ]),
      ),
    );
    defineTool(changing as AnySpec);
    expect(new Set(asked.values())).toStrictEqual(new Set([1]));
  });

  test("has an identity that is the same wherever it is made", () => {
    const read = toolWith({
      input: z.object({ id: z.string(), lines: z.int().min(1).max(100).default(10) }),
      output: z.object({ text: z.string() }),
    });
    expect(read.contract.digest).toBe(
      "sha256:beb7d43658e3e9e1d7896f56cc1e5696ed44d707ce1c2ff8ba56f1e6ed6076e5",
    );
    expect(tool.contract.digest).toBe(
      "sha256:5d25a30490ab3b77f3112fa3b53dbcb013f1be1be109318cad8b7ec6a94dcec2",
    );
    for (const { contract } of [read, tool]) {
      const { digest, ...definition } = contract;
      expect(digest).toBe(plainDigest(definition));
    }
  });

  test("is another one when anything that it states changes, and not when its function does", () => {
    const digests = [
      toolSpec(),
      toolSpec({ description: "Reads a note!" }),
      toolSpec({ permissions: ["notes:read"] }),
      toolSpec({ costEffect: "api_cost" }),
      toolSpec({ input: { type: "object", title: "x" } }),
      toolSpec({ replay: { replayable: false } }),
    ].map((one) => defineTool(one).contract.digest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(toolWith({ run: () => "other", timeoutMs: 5 }).contract.digest).toBe(toolWith().contract.digest);
  });
});
