import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";

/** A host's own rule by its id and version; its functions are given by whoever makes the calls. */
export const hostRuleNameSchema = strictObject({
  id: z
    .string()
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z._:-]{0,127}$/,
      "expected a rule's id: 1 to 128 letters, digits or . _ : -, starting with a letter or digit",
    ),
  version: z
    .string()
    .min(1, "expected a rule's version: 1 to 64 characters")
    .max(64, "expected a rule's version: 1 to 64 characters"),
});
export type HostRuleName = z.infer<typeof hostRuleNameSchema>;
