import { HostConfigurationNeededError } from "../error/error-classes.ts";

/** What an address is called in a message, and what to give instead. */
export type BaseUrlWords = { readonly name: string; readonly remedy: string };

/** An address that paths are put after, without a slash at its end. A message about one never repeats it: it may hold a password. */
export function readBaseUrl(text: string, words: BaseUrlWords): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw unusable(words, "is no address", "not_a_url");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw unusable(words, "is neither http nor https", "scheme");
  if (url.username !== "" || url.password !== "")
    throw unusable(words, "holds a user name or password", "userinfo");
  // An empty query or fragment leaves no trace in the parsed address.
  if (/[?#]/.test(text)) throw unusable(words, "has a query or a fragment", "query");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** A key goes over plain http to this machine alone, unless somebody has said otherwise. */
export function refuseExposedKey(baseUrl: string, insecure: boolean): void {
  const { protocol, hostname } = new URL(baseUrl);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (insecure || isHere || protocol === "https:") return;
  throw new HostConfigurationNeededError(
    "a key is not sent over plain http to another machine; use an https baseUrl, or set insecure: true if the network is yours alone",
    { details: { reason: "plain_http" } },
  );
}

function unusable({ name, remedy }: BaseUrlWords, problem: string, reason: string) {
  return new HostConfigurationNeededError(`${name} ${problem}; ${remedy}`, { details: { reason } });
}
