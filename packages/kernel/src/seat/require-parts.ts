import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** What a program is put together of. Each is opened by somebody else, and most of them later than they are named. */
export type GivenParts = {
  readonly store?: unknown;
  readonly installation?: unknown;
  readonly replay?: unknown;
};

type Part = { readonly functions: readonly string[]; readonly give: string };

const parts: { readonly [Name in keyof GivenParts]-?: Part } = {
  store: {
    functions: ["document", "commit", "listen"],
    give: "createMemoryStore(), await openSqliteStore({ folder }) or await openPostgresStore({ url })",
  },
  installation: {
    functions: ["keyHash", "redaction"],
    give: "loadInstallation({ env: process.env }).installation",
  },
  replay: { functions: ["take"], give: "await openReplay([the text of a trace])" },
};

/** Says where it is given that a part is none: at the first call nobody would know any more which. */
export function requireParts(given: GivenParts): void {
  for (const [name, part] of Object.entries(parts)) requirePart(name, given[name as keyof GivenParts], part);
}

function requirePart(name: string, given: unknown, { functions, give }: Part): void {
  if (given === undefined || functions.every((one) => hasFunction(given, one))) return;
  throw hasFunction(given, "then")
    ? bad(name, `${name} is a promise: await it, and give what it opens; ${name}: ${give}`)
    : bad(name, `${name} is no ${name}; give ${name}: ${give}`);
}

function hasFunction(given: unknown, name: string): boolean {
  return typeof (given as { readonly [name: string]: unknown } | null)?.[name] === "function";
}

function bad(name: string, message: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { path: `/${name}`, reason: "bad_part" } });
}
