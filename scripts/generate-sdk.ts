// Writes the generated part of the SDK: `npm run generate`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ContractManifest } from "@spfunctions/contracts";
import { platformManifest } from "./sdk/platform-manifest.ts";
import { printTypes } from "./sdk/print-types.ts";
import { type SdkMethod, sdkMethodsOf } from "./sdk/sdk-methods.ts";

const root = resolve(import.meta.dirname, "..");
const biome = join(root, "node_modules/.bin/biome");

/** The files of `packages/sdk/src/generated`, by what is in them. */
export type GeneratedSdk = { readonly table: string; readonly types: string };

/** The facts and the types of every tool that the client calls, formatted. The same manifest gives the same text. */
export function generateSdk(manifest: ContractManifest): GeneratedSdk {
  const methods = sdkMethodsOf(manifest);
  return { table: format(printTable(methods), "table"), types: format(printTypes(methods), "types") };
}

export function generatedPath(file: keyof GeneratedSdk): string {
  return join(root, `packages/sdk/src/generated/tool-${file}.ts`);
}

function printTable(methods: readonly SdkMethod[]): string {
  const rows = methods.map(({ facts, resource, method }) =>
    JSON.stringify({ method: `${resource}.${method}`, ...facts }),
  );
  return `// Made by scripts/generate-sdk.ts from the contracts of the tools: change those, and run "npm run generate".
import type { ToolEntry } from "../tool/tool-facts.ts";

/** Every active tool with the one method that calls it. */
export const toolTable: readonly ToolEntry[] = [${rows.join(",\n")}];
`;
}

function format(text: string, file: keyof GeneratedSdk): string {
  const args = ["format", `--stdin-file-path=${generatedPath(file)}`];
  return execFileSync(biome, args, { cwd: root, input: text, encoding: "utf8" });
}

if (process.argv[1] === import.meta.filename) {
  const { table, types } = generateSdk(await platformManifest());
  writeFileSync(generatedPath("table"), table);
  writeFileSync(generatedPath("types"), types);
}
