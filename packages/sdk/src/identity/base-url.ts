import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** Where `sf up` listens. */
export const defaultBaseUrl = "http://127.0.0.1:7700";

/** The platform's address without a slash at its end. A message about one never repeats it: it may hold a password. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw unusable("is no address", "not_a_url");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw unusable("is neither http nor https", "scheme");
  }
  if (url.username !== "" || url.password !== "") throw unusable("holds a user name or password", "userinfo");
  // An empty query or fragment leaves no trace in the parsed address.
  if (/[?#]/.test(text)) throw unusable("has a query or a fragment", "query");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Whether what is sent there can be read on the way. */
function isExposed(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A key goes over plain http to this machine alone, unless somebody has said otherwise. */
export function refuseExposedKey(baseUrl: string, insecure: boolean): void {
  if (insecure || !isExposed(baseUrl)) return;
  throw new HostConfigurationNeededError(
    "a key is not sent over plain http to another machine; use an https baseUrl, or set insecure: true if the network is yours alone",
    { details: { reason: "plain_http" } },
  );
}

function unusable(problem: string, reason: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `baseUrl ${problem}; give the platform's address, like ${defaultBaseUrl}`,
    { details: { reason } },
  );
}
