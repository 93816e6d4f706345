import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** A venue's address without a slash at its end. A message about one never repeats it: it may hold a password. */
export function readBaseUrl(venue: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw unusable(venue, "is no address", "not_a_url");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw unusable(venue, "is neither http nor https", "scheme");
  }
  if (url.username !== "" || url.password !== "") {
    throw unusable(venue, "holds a user name or password", "userinfo");
  }
  // An empty query or fragment leaves no trace in the parsed address.
  if (/[?#]/.test(text)) throw unusable(venue, "has a query or a fragment", "query");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function unusable(venue: string, problem: string, reason: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `${venue}: the address to read it at ${problem}; give its public address, or none for its own`,
    { details: { reason } },
  );
}
