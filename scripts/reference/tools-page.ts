import type { ContractTool } from "@spfunctions/contracts";
import { anchor, code, page, table } from "../markdown.ts";
import { type Field, fieldsOf, ifLeftOut } from "./schema-fields.ts";

/** Tools that belong together, and where they come from. */
export type ToolGroup = {
  readonly title: string;
  readonly says: string;
  readonly tools: readonly ContractTool[];
};

export function toolsPage(groups: readonly ToolGroup[]): string {
  return page(
    "# Tools",
    "Every active tool that comes with this repository, from its contract. `sf manifest` lists those of a platform and `sf explain` says what would be decided about a call. What the words of an effect mean is in [policy.md](policy.md#effects).",
    ...groups.flatMap(({ title, says, tools }) => [
      `## ${title}`,
      says,
      table(
        ["tool", "what it does", "side effect", "cost"],
        tools.map((tool) => [
          `[${code(tool.name)}](#${anchor(tool.name)})`,
          tool.title,
          code(tool.sideEffect),
          code(tool.costEffect),
        ]),
      ),
      ...tools.map(toolSection),
    ]),
  );
}

function toolSection(tool: ContractTool): string {
  return page(
    `### ${tool.name}`,
    tool.description,
    [
      `- side effect ${code(tool.sideEffect)}, cost ${code(tool.costEffect)}, permissions ${tool.permissions.map(code).join(", ")}`,
      `- ${whoCalls(tool)}`,
      `- ${repeated[tool.idempotency.type]}; ${tool.replay.replayable ? "answered by a replay" : "a replay does not answer it"}`,
      `- ${reached(tool)}`,
    ].join("\n"),
    fields("input", "it takes nothing", fieldsOf(tool.input), true),
    fields("output", "any JSON", fieldsOf(tool.output), false),
  ).trimEnd();
}

function whoCalls({ access, agent }: ContractTool): string {
  const anonymous = access.anonymousAllowed ? "anonymous callers, too" : "no anonymous callers";
  if (!agent.callable) return `${anonymous}; no agent calls it`;
  return `${anonymous}; agents call it${agent.defaultEnabled ? ", and a run has it without naming it" : " where a run names it"}`;
}

const repeated = {
  natural: "doing it twice is doing it once",
  key: "once for each idempotency key",
  none: "done again where it is asked for again",
} as const satisfies Record<ContractTool["idempotency"]["type"], string>;

function reached({ http, sdk }: ContractTool): string {
  if (http === undefined) return "no route: called where it is defined";
  return `${code(`${http.method} ${http.path}`)}${sdk === undefined ? "" : `, ${code(`sf.${sdk.method}()`)}`}`;
}

function fields(what: string, none: string, all: readonly Field[], areGiven: boolean): string {
  if (all.length === 0) return `**${what}**: ${none}`;
  const rows = all.map((field) => [
    code(field.path),
    field.type,
    areGiven ? ifLeftOut(field) : field.isRequired ? "" : "can be absent",
    field.says ?? "",
  ]);
  return table([what, "type", areGiven ? "if left out" : "", "meaning"], rows);
}
