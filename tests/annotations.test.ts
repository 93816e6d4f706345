// A tool is classed by what it does: docs/annotations.md answers the nine questions for every active tool, and is compared with the
// manifest cell by cell.
import {
  type ContractTool,
  costEffectRank,
  costEffects,
  type Risk,
  sideEffectRank,
  sideEffects,
} from "@spfunctions/contracts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "./package-graph.ts";
import { activeTools } from "./test-data/active-tools.ts";

const page = readFileSync(join(root, "docs/annotations.md"), "utf8");

type Cells = Readonly<Record<string, string>>;

/** The tables of a page whose first column has this name, as rows by column. */
function tablesOf(first: string): readonly (readonly Cells[])[] {
  const blocks = page.match(/(?:^\|.*\|\n)+/gm) ?? [];
  return blocks
    .map((block) => block.trimEnd().split("\n").map(cellsOf))
    .filter(([names]) => names?.[0] === first)
    .map(([names = [], , ...rows]) =>
      rows.map((cells) => Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ""]))),
    );
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

const namesIn = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

/** The nine questions, and the word of a contract that answers each. */
const questions: readonly (readonly [column: string, risks: readonly Risk[]])[] = [
  ["account", ["account_context"]],
  ["user data", ["user_data"]],
  ["paid", ["paid_upstream"]],
  ["search", ["search"]],
  ["LLM", ["llm"]],
  ["venue", ["venue"]],
  ["mutates", ["state_mutation"]],
  ["secret", ["secret"]],
  ["trade", ["paper_trade", "live_trade"]],
];

/** The row that a contract asks for. */
function rowOf(tool: ContractTool): Cells {
  const says = (risk: Risk) => tool.risk.includes(risk);
  const answers = questions.map(([column, [risk, worse]]): [string, string] => {
    if (risk === undefined || worse === undefined)
      return [column, risk !== undefined && says(risk) ? "yes" : "no"];
    return [column, says(worse) ? "live" : says(risk) ? "paper" : "no"];
  });
  return {
    tool: `\`${tool.name}\``,
    ...Object.fromEntries(answers),
    sideEffect: tool.sideEffect,
    costEffect: tool.costEffect,
    anonymous: tool.access.anonymousAllowed ? "yes" : "no",
  };
}

const byName = (a: Cells, b: Cells) => ((a["tool"] ?? "") < (b["tool"] ?? "") ? -1 : 1);

let tools: readonly ContractTool[] = [];
const rows = tablesOf("tool").flat();
beforeAll(async () => {
  tools = await activeTools();
});

// proves KEY-2.6, KEY-2.7, KEY-2.8, KEY-10.1
test("the page has a row for every active tool and no other, and every cell is what the contract says", () => {
  expect(tools.length).toBeGreaterThan(30);
  expect(rows.toSorted(byName)).toStrictEqual(tools.map(rowOf).toSorted(byName));
});

// proves KEY-10.2, KEY-10.3, KEY-10.4, KEY-10.5, KEY-10.6, KEY-10.7, KEY-10.8, KEY-10.9, KEY-10.10
test("the page asks the nine questions, each with the word of a contract for it", () => {
  const [asked = []] = tablesOf("column");
  expect(asked.map(({ column, ...rest }) => [column, namesIn(rest["the word in `risk`"])])).toStrictEqual(
    questions,
  );
});

test("a sentence of why is about a tool that there is", () => {
  const named = [...page.matchAll(/^- ((?:`[\w.]+`,? ?)+):/gm)].flatMap(([, names]) => namesIn(names));
  expect(named.length).toBeGreaterThan(15);
  const known = new Set(tools.map(({ name }) => name));
  expect(named.filter((name) => !known.has(name))).toStrictEqual([]);
  expect(named).toStrictEqual([...new Set(named)]);
});

/** What must hold of a row, by itself. */
const consequences: Readonly<Record<string, (row: Cells) => boolean>> = {
  "a model means llm_cost, and the other way round": ({ LLM, costEffect }) =>
    (LLM === "yes") === (costEffect === "llm_cost"),
  "a venue costs at least venue_request_cost": (row) =>
    implies(row["venue"], costs(row, "venue_request_cost")),
  "venue_request_cost means a venue": ({ venue, costEffect }) =>
    costEffect !== "venue_request_cost" || venue === "yes",
  "a search costs at least search_cost": (row) => implies(row["search"], costs(row, "search_cost")),
  "search_cost means a search": ({ search, costEffect }) => costEffect !== "search_cost" || search === "yes",
  "what is paid for costs at least api_cost": (row) => implies(row["paid"], costs(row, "api_cost")),
  "who mutates has at least user_write": (row) =>
    implies(row["mutates"], sideEffectRank(row["sideEffect"] as never) >= sideEffectRank("user_write")),
  "a write of the user's, and a trade, mutate": ({ mutates, sideEffect = "" }) =>
    !["user_write", "paper_trade", "live_trade"].includes(sideEffect) || mutates === "yes",
  "who has to do with secrets is classed so": ({ secret, sideEffect = "" }) =>
    implies(secret, ["secret", "auth_telemetry_write"].includes(sideEffect)) &&
    (sideEffect !== "secret" || secret === "yes"),
  "a trade has the class of the trade, and the other way round": ({ trade, sideEffect }) =>
    (trade === "paper") === (sideEffect === "paper_trade") &&
    (trade === "live") === (sideEffect === "live_trade"),
  "a user's data needs the user's account": ({ account, ...row }) =>
    implies(row["user data"], account === "yes"),
  "what changes anything needs an account, or decides about runs": ({ account, sideEffect }) =>
    sideEffect === "none" || sideEffect === "runtime" || account === "yes",
  "what is open to everybody answers every question with no, and has no effect": (row) =>
    implies(
      row["anonymous"],
      questions.every(([column]) => row[column] === "no") &&
        row["sideEffect"] === "none" &&
        row["costEffect"] === "none",
    ),
};

function implies(answer: string | undefined, consequence: boolean): boolean {
  return answer !== "yes" || consequence;
}

function costs({ costEffect }: Cells, least: (typeof costEffects)[number]): boolean {
  return costEffectRank(costEffect as never) >= costEffectRank(least);
}

// proves KEY-2.10, KEY-8.2, KEY-8.3, KEY-8.5, KEY-8.6, KEY-8.7, KEY-8.8, KEY-8.9, KEY-10.1
describe("the classes follow from the answers:", () => {
  test.each(Object.entries(consequences))("%s", (_, holds) => {
    expect(rows.filter((row) => !holds(row)).map(({ tool }) => tool)).toStrictEqual([]);
  });

  // proves KEY-8.12
  test("only what is there to keep account of keys and sessions is auth_telemetry_write", () => {
    const noted = tools.filter(({ sideEffect }) => sideEffect === "auth_telemetry_write");
    expect(noted.map(({ name }) => name)).toStrictEqual(["keys.touch", "tokens.create"]);
  });

  test("whatever needs an account, or shows a user's data, needs a key", () => {
    const open = tools.filter(({ authRequired }) => !authRequired).map(({ name }) => `\`${name}\``);
    const known = rows.filter(({ tool = "" }) => open.includes(tool));
    expect(open).not.toStrictEqual([]);
    expect(known.filter((row) => row["account"] !== "no" || row["user data"] !== "no")).toStrictEqual([]);
  });
});

type Fits = (tool: ContractTool) => boolean;
const reads: Fits = ({ sideEffect }) => sideEffect === "none";
const isOpen: Fits = ({ access }) => access.anonymousAllowed;
const isPersonal: Fits = ({ risk }) => risk.includes("user_data");

/** The annotation table, and which tools are of each kind. */
const kinds: readonly (readonly [row: readonly string[], fits: Fits])[] = [
  [
    ["Strict manifest inspection", "none", "none", "true"],
    (tool) => isOpen(tool) && tool.name.startsWith("manifest."),
  ],
  [
    ["Explicit free cached public read", "none", "none", "true only if approved"],
    (tool) => isOpen(tool) && !tool.name.startsWith("manifest."),
  ],
  [["Normal hosted API read", "none", "api_cost", "false"], readAt("api_cost")],
  [["Search-backed read", "none", "search_cost", "false"], readAt("search_cost")],
  [["Venue/provider-backed read", "none", "venue_request_cost", "false"], readAt("venue_request_cost")],
  [["LLM-backed read", "none", "llm_cost", "false"], readAt("llm_cost")],
  [
    ["User-specific read", "none", "api_cost or higher", "false"],
    (tool) => reads(tool) && isPersonal(tool) && costEffectRank(tool.costEffect) >= 1,
  ],
  [["Saved object write", "user_write", "depends", "false"], changes("user_write")],
  [
    ["Secret/key/session mutation", "secret or auth_telemetry_write", "depends", "false"],
    changes("secret", "auth_telemetry_write"),
  ],
  [["Runtime start/stop", "runtime", "depends", "false"], changes("runtime")],
  [["Paper trade", "paper_trade", "venue/request cost maybe", "false"], changes("paper_trade")],
  [
    ["Live trade", "live_trade", "venue/request cost maybe", "false; requires explicit SDK/Agent policy"],
    (tool) => changes("live_trade")(tool) && tool.trade !== undefined,
  ],
];

function readAt(cost: ContractTool["costEffect"]): Fits {
  return (tool) => reads(tool) && !isOpen(tool) && !isPersonal(tool) && tool.costEffect === cost;
}

function changes(...classes: readonly ContractTool["sideEffect"][]): Fits {
  return (tool) => classes.includes(tool.sideEffect) && !isOpen(tool);
}

describe("the taxonomy is complete:", () => {
  // proves KEY-2.2, KEY-2.9, KEY-8.4, KEY-10.11, KEY-10.12, KEY-10.13, KEY-10.14, KEY-10.15, KEY-10.16, KEY-10.17
  // proves KEY-10.18, KEY-10.19, KEY-10.20, KEY-10.21, KEY-10.22
  test("every row of the annotation table has a tool, and the tools of its row are those of its kind", () => {
    const [table = []] = tablesOf("Behavior");
    const shown = table.map(({ tools: named, ...row }) => [Object.values(row), namesIn(named)]);
    const wanted = kinds.map(([row, fits]) => [row, tools.filter(fits).map(({ name }) => name)]);
    expect(shown).toStrictEqual(wanted);
    for (const { tools: named } of table) expect(namesIn(named)).not.toStrictEqual([]);
  });

  test("every active tool is of exactly one kind", () => {
    const counted = tools.map((tool) => [tool.name, kinds.filter(([, fits]) => fits(tool)).length]);
    expect(counted).toStrictEqual(tools.map(({ name }) => [name, 1]));
  });

  test("every side effect and every cost that there is has a tool", () => {
    expect(sideEffects.filter((one) => !tools.some(({ sideEffect }) => sideEffect === one))).toStrictEqual(
      [],
    );
    expect(costEffects.filter((one) => !tools.some(({ costEffect }) => costEffect === one))).toStrictEqual(
      [],
    );
  });
});
