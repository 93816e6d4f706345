import { type ContractManifest, type ContractTool, nearest, UnknownToolError } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { printTable } from "../io/print-table.ts";
import { printValue } from "../io/print-value.ts";
import type { Printer } from "../io/printer.ts";
import { fitLine } from "../trace/fit-line.ts";
import { contractsOf } from "./contracts-of.ts";

/** As they were given. */
export type ManifestOptions = {
  readonly url?: string;
  readonly pack?: readonly string[];
  readonly review?: true;
  readonly json?: true;
};

export async function manifest(
  name: string | undefined,
  options: ManifestOptions,
  context: CommandContext,
): Promise<void> {
  const { print } = context;
  // Of a tool that is named, also where it is not active: then it is said so.
  const mode = options.review === true || name !== undefined ? "review" : "implemented";
  const all = await contractsOf(options, mode, context);
  const shown = name === undefined ? all : toolIn(all, name);
  if (options.json === true) print.json(shown, 2);
  else if ("tools" in shown) printAll(print, shown);
  else printOne(print, shown);
}

function toolIn({ tools }: ContractManifest, name: string): ContractTool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  const suggestions = nearest(
    name,
    tools.map((one) => one.name),
  );
  throw new UnknownToolError("there is no tool of this name; sf manifest lists those there are", {
    details: { suggestions },
  });
}

function printAll(print: Printer, { tools, digest }: ContractManifest): void {
  printTable(print, tools, [
    ["tool", ({ name }) => name],
    ["side effect", ({ sideEffect }) => sideEffect],
    ["cost", ({ costEffect }) => costEffect],
    ["key", ({ access }) => (access.anonymousAllowed ? "no" : "yes")],
    ["status", ({ status, http }) => (http === undefined ? `${status}, no route` : status)],
    ["what it does", titleOf],
  ]);
  print.err({ text: `${tools.length} tools, ${digest}`, style: "dim" });
}

/** As much as is read at a glance. */
const maxTitleChars = 80;

/** A tool without a title of its own has its name for one, which says nothing new. */
function titleOf({ name, title, description }: ContractTool): string {
  if (title !== name) return title;
  const [first] = /^.*?\.(?=\s|$)/s.exec(description) ?? [description];
  return fitLine(first, maxTitleChars);
}

function printOne(print: Printer, tool: ContractTool): void {
  const facts: readonly (readonly [string, string])[] = [
    ["tool", tool.title === tool.name ? tool.name : `${tool.name}  ${tool.title}`],
    ["what it does", tool.description],
    ["status", `${tool.status}, ${tool.stability}`],
    ["changes", tool.sideEffect],
    ["costs", tool.costEffect],
    ["risks", tool.risk.join(", ") || "none"],
    ["permissions", tool.permissions.join(", ") || "none"],
    ["needs a key", tool.access.anonymousAllowed ? "no" : "yes"],
    ["agents", tool.agent.callable ? "may call it" : "may not call it"],
    ["said twice", repeating[tool.idempotency.type]],
    ["route", routeOf(tool)],
    ["digest", tool.digest],
  ];
  for (const [name, value] of facts) print.out({ text: name.padEnd(14), style: "dim" }, value);
  print.out({ text: "input", style: "dim" });
  printValue(print, tool.input);
  print.out({ text: "output", style: "dim" });
  printValue(print, tool.output);
}

function routeOf({ http }: ContractTool): string {
  return http === undefined
    ? "none: a platform does not serve it, and a process that has its pack calls it"
    : `${http.method} ${http.path}`;
}

const repeating: { readonly [Type in ContractTool["idempotency"]["type"]]: string } = {
  natural: "is harmless",
  key: "under the same idempotency key it happens once",
  none: "it may happen twice",
};
