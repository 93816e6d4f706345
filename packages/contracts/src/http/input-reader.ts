// The reader knows where values stand and how they are spelt. Whether they fit the schema is for the kernel's input
// gate to say. No message of it holds a value.
import { InvalidInputError, InvalidManifestError } from "../error/error-classes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { parseJsonStrict } from "../json/parse-json-strict.ts";
import { setMember } from "../json/set-member.ts";
import type { ContractTool } from "../tool/contract-tool.ts";
import { type ReadText, type ReadTexts, refuseMember } from "./member-reader.ts";
import { type MemberReaders, memberReadersOf } from "./member-readers.ts";
import { readQuery } from "./read-query.ts";
import { toolRouteOf, travelsInQuery } from "./tool-route.ts";

/** What a request says about a tool's input. */
export type InputRequest = {
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Raw, without the question mark. */
  readonly query: string;
  readonly body?: string | undefined;
};

export type InputReader = (request: InputRequest) => JsonObject;

type Members = { [name: string]: JsonValue };
type ListTexts = { readonly texts: string[]; readonly read: ReadTexts };

/**
 * Compiled once for a tool: reads what `encodeToolInput` wrote, and what people write by hand. `invalid_manifest`
 * for a tool whose inputs could not be told apart once they are text.
 */
export function inputReaderOf(contract: Pick<ContractTool, "name" | "http" | "input">): InputReader {
  const route = toolRouteOf(contract);
  if (route === undefined) {
    throw new InvalidManifestError(`${contract.name} is a local tool: nothing of it comes over HTTP`, {
      details: { path: "/http", tool: contract.name, reason: "local_tool" },
    });
  }
  const readers = memberReadersOf(route, contract.input);
  return travelsInQuery(route) ? queryReader(readers) : bodyReader(readers);
}

function bodyReader({ params }: MemberReaders): InputReader {
  return ({ params: given, query, body }) => {
    if (query !== "") {
      refuseWhole("query_not_allowed", "this route takes no query: send the input as a JSON body");
    }
    const input: JsonValue = body === undefined || body === "" ? {} : parseJsonStrict(body);
    if (!isJsonObject(input)) return refuseWhole("not_an_object", "the body is not a JSON object");
    for (const [name, read] of params) {
      if (Object.hasOwn(input, name)) refuseRepeated(name);
      setMember(input, name, readParam(name, read, given));
    }
    return input;
  };
}

function queryReader({ params, members, others }: MemberReaders): InputReader {
  return ({ params: given, query, body }) => {
    if (body !== undefined && body !== "") {
      refuseWhole("body_not_allowed", "this route takes no body: send the input in the query");
    }
    const input: Members = {};
    const lists = new Map<string, ListTexts>();
    for (const [name, read] of params) setMember(input, name, readParam(name, read, given));
    readQuery(query, (name, text) => {
      if (Object.hasOwn(input, name)) refuseRepeated(name);
      const reader = members.get(name) ?? others;
      if (reader.type === "one") setMember(input, name, reader.read(name, text));
      else if (lists.has(name)) lists.get(name)?.texts.push(text);
      else lists.set(name, { texts: [text], read: reader.read });
    });
    for (const [name, { texts, read }] of lists) setMember(input, name, read(name, texts));
    return input;
  };
}

function readParam(name: string, read: ReadText, given: Readonly<Record<string, string>>): JsonValue {
  const text = Object.hasOwn(given, name) ? given[name] : undefined;
  if (text === undefined || text === "") return refuseMember(name, "missing", "is missing in the path");
  return read(name, text);
}

function refuseRepeated(name: string): never {
  return refuseMember(name, "repeated_parameter", "is given twice");
}

function refuseWhole(reason: string, what: string): never {
  throw new InvalidInputError(`invalid input: ${what}`, { details: { path: "", reason } });
}
