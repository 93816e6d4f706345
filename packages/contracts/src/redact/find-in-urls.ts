import type { Finder, Findings } from "./finder.ts";
import { looksRandom } from "./looks-random.ts";

/** Passwords and tokens in an address: before the host, or as the path itself. */
export const urlFinder: Finder = {
  words: ["://"],
  find(text, at, found) {
    if (!text.startsWith("://", at)) return at + 1;
    findUserinfo(text, at + 3, found);
    findSecretPath(text, at + 3, found);
    return at + 3;
  },
};

/** A slash in the password is common though not allowed; after a port it begins the path. */
const userinfo =
  /((?:\[redacted[a-z0-9_:]{0,60}\]|[^\s/?#"'<>\\`@:[\]]){0,256})(?::([^\s/?#"'<>\\`]{0,256}|(?![0-9]{1,5}\/)(?:(?!:\/\/|\/\/)[^\s?#"'<>\\`@]){0,256}))?@/dy;

/** `scheme://user:password@host`, and a lone token in the user's place. */
function findUserinfo(text: string, from: number, found: Findings): void {
  userinfo.lastIndex = from;
  const match = userinfo.exec(text);
  if (match === null) return;
  const [, user = "", password = ""] = match;
  const [, userAt, passwordAt] = match.indices ?? [];
  if (passwordAt !== undefined && password !== "" && !/^[$<{%[]/.test(password)) {
    found.add(passwordAt[0], passwordAt[1], "url_password");
  }
  if (userAt !== undefined && !user.startsWith("[") && looksRandom(user, 16)) {
    found.add(userAt[0], userAt[1], "url_token");
  }
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
    "thingsboard.io": /\/api\/v1\//,
  }).map(([host, path]) => [host, new RegExp(`${path.source}([A-Za-z0-9_@:/%.-]{7,255})`, "dy")]),
);

/** Hosts of one's own: chat servers keep their hooks under this path. */
const ownHook = /\/hooks\/(?=[A-Za-z0-9/]{20})([A-Za-z0-9/]{20,255})/dy;

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
