import { lookAtPostgres } from "@spfunctions/host/store";
import type { DatabasePlace } from "../seat/store-place.ts";
import { type Check, fail, failed, ok, warn } from "./check.ts";

/** Whether a database can be reached, and what is in it; whether it can be looked into. */
export async function databaseCheck(
  place: DatabasePlace,
  users: readonly string[],
): Promise<{ readonly check: Check; readonly isReadable: boolean }> {
  const { called, schema } = place;
  const about = { check: "data", where: called };
  const whose = users.join(" and ");
  try {
    const { server, version, known } = await lookAtPostgres(place);
    const facts = { server, schema, known, ...(version !== undefined && { version }) };
    const reached = `of ${whose}: PostgreSQL ${server} can be reached`;
    const told = { ...about, facts };
    if (version === undefined)
      return closed(ok(told, `${reached}; the schema ${schema} is not there yet, ${whose} makes it`));
    const what = `${reached}; the schema ${schema} has version ${version}`;
    if (version > known)
      return closed(fail(told, `${what}, and this program knows ${known}`, "update this program"));
    if (version < known)
      return closed(warn(told, `${what}, and this program writes ${known}`, "sf up brings it there"));
    return { check: ok(told, what), isReadable: true };
  } catch (error) {
    return closed(failed(about, error, "see that the server is up, and that SF_STORE or --store names it"));
  }
}

function closed(check: Check) {
  return { check, isReadable: false };
}
