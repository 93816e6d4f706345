// What comes with a request to a route of the platform's own, where no tool's contract says how it is read.
import { InvalidInputError, parseAtDoor, parseJsonStrict, strictObject } from "@spfunctions/contracts";
import { z } from "zod";

export function queryMembers(query: string): Record<string, string> {
  const entries = [...new URLSearchParams(query)];
  const members = Object.fromEntries(entries);
  if (Object.keys(members).length === entries.length) return members;
  throw new InvalidInputError("a query has each of its parameters once", {
    details: { reason: "repeated_parameter" },
  });
}

export function refuseQuery(query: string): void {
  parseAtDoor(strictObject({}), queryMembers(query), "query", InvalidInputError);
}

export function refuseBody(body: string | undefined): void {
  parseAtDoor(strictObject({}), parseJsonStrict(body ?? "{}"), "body", InvalidInputError);
}

/** What stands in a query is text. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least).max(most));
