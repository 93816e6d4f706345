import { isSimpleFunctionsError, parseJsonStrict, type JsonValue } from "@spfunctions/contracts";

/** A block that cannot be read. The model is told why, and nothing else comes of it. */
export type Malformed = { readonly type: "malformed"; readonly why: string };
export type Read<Value> = { readonly type: "read"; readonly value: Value } | Malformed;

export function malformed(why: string): Malformed {
  return { type: "malformed", why };
}

export function readBlockJson(text: string, maxBytes: number): Read<JsonValue> {
  return orMalformed(() => parseJsonStrict(text, { maxBytes }));
}

/** What is refused is the model's mistake, and a value; what is broken on our side stays an exception. */
export function orMalformed<Value>(read: () => Value): Read<Value> {
  try {
    return { type: "read", value: read() };
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.code === "invalid_input") return malformed(error.message);
    throw error;
  }
}
