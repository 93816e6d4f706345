// A contract's digest is of what its schema says. A default that a function makes anew would give every process another contract,
// and what waits for an approval could not go on after a restart.
import { canonicalJson, everySubschema, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import { differenceIn } from "./json-copy.ts";

/** The way to what a schema with defaults says otherwise when it is asked again, or nothing. `pause` lets time pass before that. */
export function differenceNextTime(
  written: JsonObject,
  again: () => JsonObject,
  pause: () => void,
): readonly string[] | undefined {
  const defaults: JsonValue[] = [];
  everySubschema(written, (schema) => {
    if (schema["default"] !== undefined) defaults.push(schema["default"]);
  });
  if (defaults.length === 0) return undefined;
  if (defaults.some(mayBeTime)) pause();
  return differenceIn(again(), written);
}

/** The time in milliseconds takes eight characters at least, however it is written. */
function mayBeTime(value: JsonValue): boolean {
  return canonicalJson(value).length >= 8;
}
