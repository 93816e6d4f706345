import { printDoc } from "./print-literal.ts";
import { pascalCase, SchemaPrinter, type Side } from "./schema-printer.ts";
import type { SdkMethod } from "./sdk-methods.ts";

/** Answers that come as a document have the types under which it is checked. */
const documents: Readonly<Record<string, string>> = {
  "manifest.list": "ContractManifest",
  "manifest.get": "ContractTool",
};

const head = `// Made by scripts/generate-sdk.ts from the contracts of the tools: change those, and run "npm run generate".
import type { ContractManifest, ContractTool } from "@spfunctions/contracts";
import type { Answering } from "../call/answering.ts";
import type { Listing } from "../call/listing.ts";
import type { CallOptions } from "../options/call-options.ts";
`;

/** The types of every tool's input and output, and of the methods that call them. */
export function printTypes(methods: readonly SdkMethod[]): string {
  const declarations = methods.flatMap((entry) => [
    declarationOf(entry, "input"),
    ...(documents[entry.tool.name] === undefined ? [declarationOf(entry, "output")] : []),
  ]);
  return withoutUnused([head, ...declarations, printToolTypes(methods), printResources(methods)].join("\n"));
}

function declarationOf({ tool, resource, method }: SdkMethod, side: Side): string {
  return new SchemaPrinter(tool[side], typeName(resource, method, side), side).declarations();
}

function printToolTypes(methods: readonly SdkMethod[]): string {
  const rows = methods.map(
    (entry) =>
      `readonly ${JSON.stringify(entry.tool.name)}: { readonly input: ${inputOf(entry)}; readonly answer: ${answerOf(entry)} };`,
  );
  return `/** What each tool takes and gives, by its canonical name. */\nexport type ToolTypes = {\n${rows.join("\n")}\n};\n`;
}

function printResources(methods: readonly SdkMethod[]): string {
  const resources = Map.groupBy(methods, ({ resource }) => resource);
  const members = [...resources].map(
    ([resource, entries]) => `readonly ${resource}: {\n${entries.map(printMethod).join("\n")}\n};`,
  );
  return `/** The methods of a client: one for each tool. */\nexport type Resources = {\n${members.join("\n")}\n};\n`;
}

function printMethod(entry: SdkMethod): string {
  const { tool, method } = entry;
  const effects = `Tool \`${tool.name}\`; side effect ${tool.sideEffect}, cost ${tool.costEffect}.`;
  const needsNothing = neededOf(tool.input["required"]) === 0;
  const doc = printDoc(tool.description, [effects]);
  return `${doc}readonly ${method}: (input${needsNothing ? "?" : ""}: ${inputOf(entry)}, options?: CallOptions) => ${answerOf(entry)};`;
}

function inputOf({ resource, method, facts }: SdkMethod): string {
  const type = typeName(resource, method, "input");
  return facts.soleParam === undefined ? type : `${type} | string`;
}

function answerOf({ tool, resource, method, facts }: SdkMethod): string {
  const output = documents[tool.name] ?? typeName(resource, method, "output");
  return facts.lists ? `Listing<${output}, ${output}["items"][number]>` : `Answering<${output}>`;
}

function typeName(resource: string, method: string, side: Side): string {
  return pascalCase(`${resource} ${method} ${side}`);
}

function neededOf(required: unknown): number {
  return Array.isArray(required) ? required.length : 0;
}

/** An import that nothing uses would be an error. */
function withoutUnused(text: string): string {
  return text.replaceAll(/^import type \{ (.+) \} from (.+);\n/gm, (_, names: string, from: string) => {
    const used = names.split(", ").filter((name) => text.split(new RegExp(`\\b${name}\\b`)).length > 2);
    return used.length === 0 ? "" : `import type { ${used.join(", ")} } from ${from};\n`;
  });
}
