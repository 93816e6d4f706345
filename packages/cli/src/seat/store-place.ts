// S1: a connection string is a secret as a whole. It is given to the store and to nobody else; what is shown of it has no user and
// no password. Only in a command that is to be pasted it stands as it was given, where there is nothing in it to hide.
import { heldSecrets } from "@spfunctions/contracts";
import { dataFolderOf, platformFolderOf } from "@spfunctions/host/installation";
import { badUsage } from "../command-line/bad-usage.ts";
import { asWord } from "../io/as-word.ts";
import type { CliIo } from "../io/cli-io.ts";
import { agentFolderOf } from "./data-folder.ts";

/** A data folder. */
export type FolderPlace = { readonly type: "folder"; readonly folder: string; readonly called: string };

/** A schema of a PostgreSQL database. */
export type DatabasePlace = {
  readonly type: "database";
  readonly url: string;
  readonly schema: string;
  /** The same without a user and a password, for people. */
  readonly called: string;
  /** What `--store` takes in a shell so that it is found: the address, or the variable that is to hold it. */
  readonly word: string;
};

/** Where a journal is kept. */
export type StorePlace = FolderPlace | DatabasePlace;

/** As they were given. */
export type GivenPlace = { readonly data?: string | undefined; readonly store?: string | undefined };

type Surroundings = Pick<CliIo, "env" | "cwd">;

/** The schema that every command but `sf agent` looks in. */
const usualSchema = "simplefunctions";

/** Of `sf call`, and whatever looks at what it has done. */
export function storePlaceOf(given: GivenPlace, io: Surroundings): StorePlace {
  return givenPlace(given, io, usualSchema) ?? folderPlace(dataFolderOf(undefined, io));
}

/** Of `sf up`, and whatever has its platform in this process. */
export function platformPlaceOf(given: GivenPlace, io: Surroundings): StorePlace {
  return givenPlace(given, io, usualSchema) ?? folderPlace(platformFolderOf(io));
}

/**
 * Of `sf agent`, which keeps its own side apart: in a folder of its own unless told, and in a schema of its own in a database, which
 * may be the platform's.
 */
export function agentPlaceOf({ data, store }: GivenPlace, io: Surroundings): StorePlace {
  const own = { ...io, env: { ...io.env, SF_STORE: undefined } };
  return givenPlace({ data, store }, own, "simplefunctions_agent") ?? folderPlace(agentFolderOf(io));
}

function givenPlace({ data, store }: GivenPlace, io: Surroundings, schema: string): StorePlace | undefined {
  if (isGiven(store)) return databasePlace(store, schema);
  if (isGiven(data)) return folderPlace(dataFolderOf(data, io));
  const { SF_STORE: usual } = io.env;
  return isGiven(usual) ? databasePlace(usual, schema) : undefined;
}

export function folderPlace(folder: string): FolderPlace {
  return { type: "folder", folder, called: folder };
}

/** `schema`: the one that is meant where `?schema=` does not say. */
export function databasePlace(text: string, schema: string): DatabasePlace {
  holdPassword(text);
  const parts = partsOf(text);
  if (parts === undefined)
    throw badUsage(
      "the store is no PostgreSQL database: expected postgres:// with user, password, host, port and database, as PostgreSQL's own programs take it; for a folder there is --data",
    );
  const members = parts.query.split("&").filter((member) => member !== "");
  // The store's own word, and none of PostgreSQL's.
  const own = members.filter((member) => !member.startsWith("schema="));
  const given = new URLSearchParams(parts.query).get("schema");
  const named = given ?? schema;
  requireSchemaName(named);
  const shown = members.filter((member) => /^(?:host|port)=/.test(member));
  return {
    type: "database",
    url: withQuery(text.split("?", 1)[0] ?? "", own),
    schema: named,
    called: withQuery(parts.called, named === schema ? shown : [...shown, `schema=${named}`]),
    word: wordFor(text, parts, given === null && schema !== usualSchema ? schema : undefined),
  };
}

/** As the store takes them. */
function requireSchemaName(name: string): void {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name) || name.startsWith("pg_"))
    throw badUsage(
      "?schema= of the store is no name of a schema that can be used: expected up to 63 small letters, digits and underscores, a letter first, and not pg_",
    );
}

/** Members of a query that hold nothing to hide. */
const open: ReadonlySet<string> = new Set(["host", "port", "user", "dbname", "sslmode", "schema"]);

/** S1: an address with a password, or with anything that is not known to be none, stays where it is. */
function wordFor(text: string, { user, query }: Parts, schema: string | undefined): string {
  const more = schema === undefined ? "" : `${text.includes("?") ? "&" : "?"}schema=${schema}`;
  const isOpen =
    !user.includes(":") && [...new URLSearchParams(query).keys()].every((name) => open.has(name));
  return isOpen ? asWord(`${text}${more}`) : `"$SF_STORE${more}"`;
}

/** S1: before anything is said about it. What is shorter would be hidden wherever it is a word. */
export function holdPassword(text: string): void {
  const { user = "", query = "" } = partsOf(text) ?? {};
  const [, password = ""] = /^[^:]*:([^]*)$/.exec(user) ?? [];
  for (const found of [password, decoded(password), new URLSearchParams(query).get("password") ?? ""])
    if (found.length >= 12) heldSecrets.add(found, "database");
}

type Parts = { readonly user: string; readonly called: string; readonly query: string };

/** Not as a browser reads addresses: where the host is a folder with a socket in it, there is none in its place. */
function partsOf(text: string): Parts | undefined {
  const [, scheme, user = "", host = "", path = "", query = ""] =
    /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(text) ?? [];
  return scheme === undefined ? undefined : { user, called: `${scheme}${host}${path}`, query };
}

function withQuery(address: string, members: readonly string[]): string {
  return members.length === 0 ? address : `${address}?${members.join("&")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}
