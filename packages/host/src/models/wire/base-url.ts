import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** A provider's address without a slash at its end. A message about one never repeats it: it may hold a password. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw unusable("is no address", "not_a_url");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw unusable("is neither http nor https", "scheme");
  if (url.username !== "" || url.password !== "") throw unusable("holds a user name or password", "userinfo");
  // An empty query or fragment leaves no trace in the parsed address.
  if (/[?#]/.test(text)) throw unusable("has a query or a fragment", "query");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** A key goes over plain http to this machine alone, unless somebody has said otherwise. */
export function refuseExposedKey(baseUrl: string, insecure: boolean): void {
  const { protocol, hostname } = new URL(baseUrl);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (insecure || isHere || protocol === "https:") return;
  throw new HostConfigurationNeededError(
    "a model's key is not sent over plain http to another machine; use an https baseUrl, or set insecure: true if the network is yours alone",
    { details: { reason: "plain_http" } },
  );
}

function unusable(problem: string, reason: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `the model's baseUrl ${problem}; give an address like https://api.openai.com/v1`,
    { details: { reason } },
  );
}
