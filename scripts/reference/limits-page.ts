import { findLimits, type Limit } from "./limits/find-limits.ts";
import { valueWords } from "./limits/value-words.ts";
import { code, page, table } from "../markdown.ts";

/** What the first word of a limit's name is about, in the order of the page. */
const groups = {
  json: "JSON, wherever it is read or written",
  call: "Calls",
  policy: "Policies of a host, in code",
  approval: "Approvals",
  capability: "Capabilities and grants",
  run: "Runs of a model",
  child: "Subagents",
  model: "Models",
  trace: "Traces",
  events: "Events",
  tool: "Tools, as they are defined",
  platform: "The platform: `openPlatform`, `sf up`",
  socket: "The platform's socket: `listen`",
  key: "Keys and tokens of a platform",
  client: "The SDK",
  fs: "File tools",
  shell: "Commands in the sandbox",
  web: "The web tool",
  chat: "Long-lived agents",
  memory: "Memory of a long-lived agent",
  checkpoint: "Revisions of a long-lived agent",
  store: "Stores",
  venue: "Real venues",
  market: "Markets",
  cli: "The command line",
} as const;

export function limitsPage(): string {
  const limits = findLimits();
  const lost = limits.find(({ name }) => !Object.hasOwn(groups, groupOf(name)));
  if (lost !== undefined) throw new Error(`the limit ${lost.name} is in no group of the page`);
  return page(
    "# Limits",
    "Every limit has a name and a setting, or a reason why it has none. What a policy bounds is in [policy.md](policy.md#budget), what a tool's input may be in [tools.md](tools.md). Characters are UTF-16 code units.",
    ...Object.entries(groups).flatMap(([group, title]) => groupSection(group, title, limits)),
  );
}

function groupSection(group: string, title: string, limits: readonly Limit[]): string[] {
  const own = limits.filter(({ name }) => groupOf(name) === group);
  if (own.length === 0) throw new Error(`there is no limit in the group ${group}`);
  const rows = own.map(({ name, value, bounds, atIt, isSet }) => [
    code(name),
    valueWords(name, value),
    bounds,
    atIt,
    isSet,
  ]);
  return [`## ${title}`, table(["limit", "value", "what it bounds", "at it", "set with"], rows)];
}

function groupOf(name: string): string {
  return name.slice(0, name.indexOf("."));
}
