import { type Finder, type Findings, matchAt, skip } from "./finder.ts";
import { isWholeReference } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";

/** Addresses of databases that are written in their own ways. */
const withoutScheme = [
  [
    "@tcp(",
    /(?<=(?<![\w.-])[\w.-]{0,64}:((?!\/\/)[^\s"'`]{1,128}))(?<!\[redacted[a-z0-9_:]{0,60}\])@tcp\(/dy,
  ],
  [
    "@unix(",
    /(?<=(?<![\w.-])[\w.-]{0,64}:((?!\/\/)[^\s"'`]{1,128}))(?<!\[redacted[a-z0-9_:]{0,60}\])@unix\(/dy,
  ],
  ["jdbc:oracle:", /jdbc:oracle:\w{1,8}:[\w.$-]{0,64}\/([^\s"'`@/]{1,128})@/dy],
  [
    ":*:",
    /(?<=(?:^|[\s"'=]|\\[nrt])[\w.*-]{1,128}(?::(?:[0-9]{2,5}|\*))?):\*:[\w*-]{1,64}:(?:[\w*.-]{1,64}:)?((?:[^\s:\\&]|\\.|&(?![\w.-]{1,40}=)){1,256})(?=[\s"'\\&]|$)/dy,
  ],
  ...["5432", "5433", "6432"].map(
    (port) =>
      [
        `:${port}:`,
        new RegExp(
          String.raw`(?<=(?:^|[\s"'=]|\\[nrt])[\w.*-]{1,128}):${port}:[\w*-]{1,64}:[\w*.-]{1,64}:((?:[^\s:\\&]|\\.|&(?![\w.-]{1,40}=)){1,256})(?=[\s"'\\&]|$)`,
          "dy",
        ),
      ] as const,
  ),
] as const;

function findWithoutScheme(text: string, at: number, found: Findings): number {
  for (const [word, pattern] of withoutScheme) {
    const match = text.startsWith(word, at) ? matchAt(pattern, text, at) : null;
    const place = match?.indices?.[1];
    if (place === undefined || isWholeReference(match?.[1] ?? "")) continue;
    found.add(place[0], place[1], "url_password");
  }
  return at + 1;
}

/** Passwords and tokens in an address: before the host, or as the path itself. */
export const urlFinder: Finder = {
  words: ["://", ...withoutScheme.map(([word]) => word)],
  find(text, at, found) {
    if (!text.startsWith("://", at)) return findWithoutScheme(text, at, found);
    findUserinfo(text, at + 3, found);
    findSecretPath(text, at + 3, found);
    findOpeningPath(text, at + 3, found);
    return at + 3;
  },
};

const user = /(?:\[redacted[a-z0-9_:]{0,60}\]|[^\s/?#"'<>\\`@:[\]]){0,256}/y;
/** A quote between two letters is one of its own. */
const rest = /[^\s"'<>\\`]{0,256}(?:(?<=[A-Za-z0-9])'(?=[A-Za-z0-9])[^\s"'<>\\`]{0,256}){0,2}/y;

/** `scheme://user:password@host`, and a lone token in the user's place. */
function findUserinfo(text: string, from: number, found: Findings): void {
  const userEnd = skip(user, text, from);
  let end = userEnd;
  if (text.charAt(userEnd) === ":") {
    const start = userEnd + 1;
    if (!text.slice(start, start + 512).includes("@")) return;
    const isWeb = /https?$/i.test(text.slice(Math.max(0, from - 8), from - 3));
    const password = passwordIn(text.slice(start, skip(rest, text, start)), isWeb);
    if (password === null) return;
    end = start + password.length;
    const isStandIn = standInUser.test(text.slice(from, userEnd)) && standInPassword.test(password);
    if (password !== "" && !isWholeReference(password) && !isStandIn) found.add(start, end, "url_password");
  }
  const name = text.slice(from, userEnd);
  if (text.charAt(end) === "@" && !name.startsWith("[") && looksRandom(name, 16))
    found.add(from, userEnd, "url_token");
}

/** `postgres://user:password@host`, as manuals write it. */
const standInUser = /^(?:user(?:name)?|usr)$/i;
const standInPassword = /^(?:pass(?:word|wd)?|pwd)$/i;

/** What follows a host's name instead of a password. */
const port = /^(?:[0-9]{1,5}|\$\w+|\$?\{[^{}]*\})(?:[/?#]|$)/;
const surelyHost =
  /^(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w.-]+:[0-9]{1,5}|\[[0-9a-f:]+\](?::[0-9]{1,5})?|[\w.:-]+(?:,[\w.:-]+)+)$/i;

/** The password at the beginning of `password@host/path`. A slash or the like in it is common though not allowed. */
function passwordIn(address: string, isWeb: boolean): string | null {
  const [hidden] = /^\[redacted[a-z0-9_:]{0,60}\](?=@)/.exec(address) ?? [];
  if (hidden !== undefined) return hidden;
  const [authority = ""] = /^[^/?#']*/.exec(address) ?? [];
  const at = authority.lastIndexOf("@");
  const later = address.indexOf("@", authority.length);
  const between = later === -1 ? "" : address.slice(authority.length, later);
  if (at !== -1) {
    // What looks like the host may be the rest of a password that has both signs in it.
    const goesOn =
      later !== -1 && !isWeb && !/[=&]/.test(between) && !surelyHost.test(authority.slice(at + 1));
    return address.slice(0, goesOn ? later : at);
  }
  if (later === -1 || port.test(address) || /\/\//.test(between)) return null;
  return /[?#]/.test(between) && between.includes("=") ? null : address.slice(0, later);
}

/** Addresses whose path is the secret, by the end of their host: whoever knows a webhook's address may post to it. */
const secretPaths = new Map<string, RegExp>(
  Object.entries({
    "slack.com": /\/(?:services|workflows|triggers)\//,
    "slack-gov.com": /\/(?:services|workflows|triggers)\//,
    "discord.com": /\/api\/(?:v[0-9]+\/)?webhooks\//,
    "discordapp.com": /\/api\/(?:v[0-9]+\/)?webhooks\//,
    "office.com": /\/webhook[a-z0-9]*\//,
    "office365.com": /\/webhook[a-z0-9]*\//,
    "zapier.com": /\/hooks\/[a-z]+\//,
    "make.com": /\//,
    "integromat.com": /\//,
    "ifttt.com": /\/trigger\/[A-Za-z0-9_-]{1,64}\/(?:json\/)?with\/key\//,
    "feishu.cn": /\/open-apis\/bot\/v2\/hook\//,
    "larksuite.com": /\/open-apis\/bot\/v2\/hook\//,
    "netlify.com": /\/build_hooks\//,
    "telegram.org": /\/(?:file\/)?bot(?=[0-9]+:)/,
    "infura.io": /\/(?:ws\/)?v3\//,
    "alchemy.com": /\/(?:[a-z]{1,16}\/)?v[0-9]\//,
    "alchemyapi.io": /\/(?:[a-z]{1,16}\/)?v[0-9]\//,
    "quiknode.pro": /\//,
    "ankr.com": /\/[a-z_]{1,32}\//,
    "chainstack.com": /\//,
    "hc-ping.com": /\//,
    "inn.gs": /\/e\//,
    "replit.com": /\/v0\//,
    "loggly.com": /\/inputs\//,
    "victorops.com": /\/integrations\/generic\/[0-9]+\/alert\//,
    "cloudsmith.io": /\/(?!public\/)(?:basic\/)?/,
    "tines.com": /\/webhook\//,
    "anaconda.org": /\/t\//,
    "exchangerate-api.com": /\/v[0-9]\//,
    "ipqualityscore.com": /\/api\/json\/[a-z]{1,16}\//,
    "render.com": /\/deploy\/srv-[a-z0-9]{16,32}\?key=/,
    "thingsboard.io": /\/api\/v1\//,
  }).map(([host, path]) => [host, new RegExp(`${path.source}([A-Za-z0-9_@:/%.-]{7,255})`, "dy")]),
);

/** Hosts of one's own: chat servers keep their hooks under this path. */
const ownHook = /\/hooks\/(?=[A-Za-z0-9/]{20})([A-Za-z0-9/]{20,255})/dy;

/** The address that resets a password, or signs in without one. */
const openingPath =
  /\/(?:(?:password[_-]?)?reset(?:[_-]password)?|magic(?:[_-]link)?|(?:accept[_-])?invit(?:e|ation)|activate|passwordless|auth\/magic)(?:\/(?:confirm|verify|token))?(?:\/|\?(?:t|k|c|q|m|link)=)([A-Za-z0-9_.~=-]{20,512})/diy;
const pathReach = 128;

function findOpeningPath(text: string, from: number, found: Findings): void {
  const path = text
    .slice(from, from + pathReach)
    .search(/\/(?:password|reset|magic|invit|accept|activate|auth\/m)/i);
  if (path === -1 || /[\s"'<>]/.test(text.slice(from, from + path))) return;
  openingPath.lastIndex = from + path;
  const match = openingPath.exec(text);
  const place = match?.indices?.[1];
  if (place === undefined || !looksRandom(match?.[1] ?? "", 20) || uuid.test(match?.[1] ?? "")) return;
  found.add(place[0], place[1], "secret_url");
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const host = /(?:[a-z0-9-]{1,63}\.){0,6}?((?:[a-z0-9-]{1,63}\.)?[a-z]{2,24})(?::[0-9]{1,5})?(?=\/)/iy;

function findSecretPath(text: string, from: number, found: Findings): void {
  host.lastIndex = from;
  const [address = "", ending = ""] = host.exec(text) ?? [];
  if (address === "") return;
  const path = secretPaths.get(ending.toLowerCase()) ?? ownHook;
  path.lastIndex = from + address.length;
  const place = path.exec(text)?.indices?.[1];
  if (place === undefined || (ending === "make.com" && !address.startsWith("hook."))) return;
  found.add(place[0], place[1], "secret_url");
}
