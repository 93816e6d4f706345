import { looksRandom } from "./looks-random.ts";
import { secretNameStrength } from "./secret-names.ts";

const variable =
  /^(?:[$<{%(*]|![a-z]+|@[\w.-]+\.[a-z]+|\[redacted|process\.env|os\.(?:environ|getenv)|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*[([]|https?:\/\/[^@]*$|\/[a-z0-9._-]+\/|\.\.?\/|~\/)|\$\{|\{\{|^[*•.x_-]+$/i;

const standIn =
  /^(?:your|my|the|some|example|sample|dummy|fake|placeholder|change|insert|replace|enter|todo|redacted|hidden|masked|removed|null|none|nil|undefined|true|false|string|str|text|bool|boolean|int|integer|number|any|object|array|required|optional|yes|no|auto|default|password|secret|token|key|bearer|basic|unknown|empty|missing|env|input|invalid|expired|must|should|is|was|has|and|or|for|from|to|with|in|of|on|if|not|new|value|type|function|async|await|return|const|let|var)(?![A-Za-z0-9])/i;

const dotted = /^[A-Za-z_$][A-Za-z0-9_$]*(?:\??\.[A-Za-z_$][A-Za-z0-9_$]*)+$/;

/**
 * An account or a coin on a chain, half as long as a key; what Twilio, Stripe and Clerk call their accounts, messages, cards and
 * sessions, Firebase its entries: meant to be seen, also under names like `account`, `sid`, `code`, `key` and `session`.
 */
const publicId = [
  "0x[0-9A-Fa-f]{40}",
  "(?:AC|AP|BN|BU|CA|CF|CH|CN|CV|EH|FW|IM|IS|KS|MB|MG|MM|MS|MT|NO|OR|PN|QU|RE|RT|SM|TL|TT|US|VA|WA|WF|WK|WS|WT|WW|XE|XR|YA|YB|ZA|ZE|ZS)[0-9a-f]{32}",
  "(?:acct|ba|bpc|card|ch|cus|evt|in|pi|pm|po|price|prod|promo|seti|src|sub|txn|we)_[A-Za-z0-9]{14,32}",
  "cs_(?:live|test)_[A-Za-z0-9]{50,80}",
  "sess_2[A-Za-z0-9]{26}",
  "-[L-P][A-Za-z0-9_-]{18}",
];
const wholePublicId = new RegExp(`^(?:${publicId.join("|")})$`);

export function isPublicId(value: string): boolean {
  return wholePublicId.test(value);
}

/** `cart:4f1c…`, `blobs/ab/…`, `ORDER#…`: words, then what tells one entry of a store from another. */
const entryName =
  /^(?:(?:[a-z][a-z_-]{2,24}|[A-Z][A-Z_-]{2,24})[:#/]|[12][0-9]{3}\/[A-Za-z0-9])[\x20-\x7e]+$/;

const fileName =
  /^[\w./-]{1,256}\.(?:png|jpe?g|gif|webp|svg|pdf|json|csv|txt|gz|zip|parquet|mp[34]|html?|xml|wav|docx|xlsx)$/i;

export function isEntryName(value: string): boolean {
  return entryName.test(value) || fileName.test(value);
}

/** A name that this system gives to a run, a call, an effect, a record, with its place in a run where it has one: it opens nothing. */
const ownId =
  /^(?:run|call|eff|seg|step|appr|grant|cap|content|key|req)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-\d{1,6}){0,2}$/;

export function isOwnId(text: string): boolean {
  return ownId.test(text);
}

const wholeReference =
  /^(?:(?:\$\{[^{}]*\}[_.-]?)+|\$\([^()]*\)|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|<[^<>]*>|\{{1,2}[^{}]*\}{1,2}|%[a-z]|%\w+%|%\(\w+\)s|\[redacted[^[\]]*\]|\[[A-Za-z _-]+\]|[*•]+|[.x_-]{3,}|[A-Z_]*(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN))$/;

/** Whether all of a text only stands for a value: `${X}`, `$NAME`, `<password>`, `{x}`, `%s`, stars. It may begin so and be none. */
export function isWholeReference(value: string): boolean {
  if (!value.startsWith("$") || wholeReference.test(value)) return wholeReference.test(value);
  const name = value.slice(1);
  return (
    /^[A-Za-z_]+$/.test(name) &&
    (lastWord.test(name) || (secretNameStrength(name) === "password" && !/pass$/i.test(name)))
  );
}

const variableName = String.raw`[A-Za-z_][\w.:-]{0,63}`;
/** A scheme, and a variable by its name alone: `Bearer ${ACME_TOKEN}`, `{{ secrets.API_KEY }}`, `<your-api-key>`. */
const variableAlone = new RegExp(
  String.raw`^(?:[A-Za-z][A-Za-z-]{2,16} )?(?:\$\{\{? ?(${variableName})(?::?\?[A-Za-z ]{0,48}|:?-)? ?\}?\}|\{\{ ?(${variableName}) ?\}\}|\$([A-Z_][A-Z0-9_]{1,63})|<([A-Za-z][\w .-]{0,63})>)$`,
);
const commandAlone = /^\$\(([a-z][\w -]{0,32} [\w ./:@-]{1,96})\)$/;

/** Whether a text is a variable or what a command reads, perhaps behind a scheme. What is named there must not look like a secret. */
export function isVariableAlone(value: string): boolean {
  const command = commandAlone.exec(value)?.[1];
  if (command !== undefined) return !command.split(/[ /:@]/).some((part) => looksRandom(part, 8));
  const name = variableAlone
    .exec(value)
    ?.slice(1)
    .find((found) => found !== undefined);
  return name !== undefined && !looksRandom(name, 12);
}

const masked = /^(?:[*•xX]{3,}|[\w-]{0,12}(?:[*•]{3,}|\.{3}|…)[\w-]{0,6})$/;

/** `********`, `sk-…3fQ9`: what is left of a secret that somebody else has hidden. */
export function isMasked(value: string): boolean {
  return masked.test(value);
}

/** How code begins what it joins by dots, and names with numbers that it has. */
const ofCode =
  /^(?:process|env|os|this|self|config|cfg|conf|settings|options|opts|props|ctx|context|req|request|res|response|data|vars?|local|module|event|args|app|user|secrets?|params|body|state|input|form|account|auth|credentials?|db|values?|inputs?|[a-z]{1,2})\.|sha[0-9]|md5|(?:base|b)64|utf|x509|ed25519|pbkdf2|argon2|oauth|http2|k8s|s3|ec2|i18n|u?int(?:8|16|32|64)|\.v[0-9]/i;

/** `Falcon.tango18`: words with numbers in them, joined as code joins names. Under a password's name it is one. */
export function isDottedPassword(value: string): boolean {
  return (
    value.length <= 64 &&
    /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*){1,3}$/.test(value) &&
    /[A-Za-z][0-9]{2,}[A-Za-z]?[0-9]?$|[a-z][0-9][a-z]/.test(value) &&
    !ofCode.test(value)
  );
}

/** What texts are tried against: no text that is like it. */
const pattern = /\[\^?[A-Za-z0-9]-[A-Za-z0-9][^\]]*\](?:[*+?]|\{[0-9])|\\{1,2}[dwDWS](?:[*+?]|\{[0-9])/;

/** Whether a text stands for a value instead of being one: a variable, a call, a path, a type, "your-api-key". */
export function isReference(value: string): boolean {
  const sample = value.slice(0, 64);
  if (variable.test(sample) || isSecretsName(sample) || isPublicId(sample) || isOwnId(sample)) return true;
  if (pattern.test(sample)) return true;
  return !looksRandom(sample, 12) && (standIn.test(sample) || dotted.test(sample));
}

const lastWord = /[a-z0-9](?:Key|Token|Secret|Password|Code|Mode)s?$|_(?:key|token|secret|password|code)s?$/;

/** `password=dbPassword`: the value is itself such a name. */
export function isSecretsName(value: string): boolean {
  if (value.length > 40 || !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(value)) return false;
  const bare = value.replace(/[0-9]+$/, "");
  // `kGa518fTT4yzPw` ends like a name, and is none.
  if (/[0-9][a-z]/.test(bare) && looksRandom(bare, 8)) return false;
  if (lastWord.test(bare)) return true;
  return bare === value && secretNameStrength(value) !== null && !looksRandom(value, 16);
}
