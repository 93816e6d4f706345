import { z } from "zod";
import { keyForMessage } from "../json/path-for-message.ts";
import { nearest } from "../text/nearest.ts";

/** An object in which an unknown key is an error that names the key and the one probably meant (G1, B15). */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? unknownKeys(issue.keys, known) : undefined),
  });
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  return keys
    .slice(0, 5)
    .map((key) => {
      const [near] = nearest(key, known);
      return `unknown key "${keyForMessage(key)}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
    })
    .join(", ");
}
