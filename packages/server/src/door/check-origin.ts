// B30: a web page may act here only if it came from here or if its origin was configured. A browser says where a page
// came from, in Origin or in Sec-Fetch-Site, and the page cannot change either; programs send neither.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { parseHostName } from "./host-name.ts";

/** What a request says about the page that sent it, as its headers have it. */
export type OriginHeaders = {
  readonly origin: string | null | undefined;
  readonly secFetchSite: string | null | undefined;
  readonly host: string | null | undefined;
  /** The scheme that the request came by, as a URL has it: `http:` or `https:`. */
  readonly protocol: string;
};

type OriginRefusal =
  | "origin_opaque"
  | "origin_malformed"
  | "origin_not_allowed"
  | "fetch_site_malformed"
  | "fetch_site_not_allowed";

/** Which page sent a request: none, one of ours, one that is allowed, or one that is not. */
export type OriginAnswer =
  | { readonly type: "none" }
  | { readonly type: "same"; readonly origin: string }
  | { readonly type: "allowed"; readonly origin: string }
  | { readonly type: "refused"; readonly reason: OriginRefusal };

const noPage: OriginAnswer = { type: "none" };
const fetchSites = new Set(["same-origin", "same-site", "cross-site", "none"]);

/** Tells pages of this server and of the configured origins from all others. */
export function originChecker({
  allowedOrigins,
}: {
  readonly allowedOrigins: readonly string[];
}): (headers: OriginHeaders) => OriginAnswer {
  const allowed = new Set(allowedOrigins.map(requireOrigin));
  return ({ origin, secFetchSite, host, protocol }) => {
    const site = secFetchSite ?? undefined;
    if (site === undefined && (origin ?? undefined) === undefined) return noPage;
    if (site !== undefined && !fetchSites.has(site)) return refused("fetch_site_malformed");
    const isElsewhere = site === "same-site" || site === "cross-site";
    const own = ownOrigin(protocol, host);
    const tls = ownOrigin("https:", host);
    if (origin === null || origin === undefined) {
      if (isElsewhere) return refused("fetch_site_not_allowed");
      // Only a page is of an origin; "none" is a person who typed the address.
      if (site !== "same-origin") return noPage;
      // Where a proxy ends TLS, it is the origin that was configured for this host that the page is of.
      const page = tls !== undefined && allowed.has(tls) ? tls : own;
      return page === undefined ? refused("fetch_site_not_allowed") : { type: "same", origin: page };
    }
    if (origin === "null") return refused("origin_opaque");
    if (!isOrigin(origin)) return refused("origin_malformed");
    if (allowed.has(origin)) return { type: "allowed", origin };
    if (origin !== own) return refused("origin_not_allowed");
    return isElsewhere ? refused("fetch_site_not_allowed") : { type: "same", origin };
  };
}

/** What lets pages of an origin in. */
export function allowPages(origin: string): string {
  return `the operator of this platform can allow them: sf up --allow-origin ${origin}, or allowedOrigins of openPlatform`;
}

/** The origin of this server's own pages, by the name that the request used. */
function ownOrigin(protocol: string, header: string | null | undefined): string | undefined {
  const isHost = typeof header === "string" && parseHostName(header) !== undefined;
  const origin = isHost ? URL.parse(`${protocol}//${header}`)?.origin : undefined;
  return origin === "null" ? undefined : origin;
}

/** Exactly as a browser spells it; schemes of its own, like those of extensions, are compared as they are. */
function isOrigin(text: string): boolean {
  if (/^https?:/i.test(text)) {
    const url = URL.parse(text);
    return url?.origin === text && parseHostName(url.host) !== undefined;
  }
  return /^[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9._-]+(?::[0-9]{1,5})?$/.test(text);
}

function refused(reason: OriginRefusal): OriginAnswer {
  return { type: "refused", reason };
}

function requireOrigin(text: string): string {
  if (isOrigin(text)) return text;
  const meant = URL.parse(text)?.origin ?? "null";
  const hint = meant === "null" ? "write one like https://app.example.com" : `write ${meant}`;
  throw new HostConfigurationNeededError(
    `the allowed origin ${JSON.stringify(text)} is not an origin as a browser sends it; ${hint}`,
    { details: { reason: "invalid_allowed_origin" } },
  );
}
