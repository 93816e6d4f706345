// Secrets that are known by the name before them: assignments, JSON members, headers, flags, tags, query parameters.
import { commonIn } from "./base64-runs.ts";
import { afterEscape, endOfEscape } from "./escape-before.ts";
import { type Finder, type Findings, isAlphanumeric, matchAt, skip } from "./finder.ts";
import { endOfToken, reachOfRun } from "./find-runs.ts";
import { looksRandom } from "./looks-random.ts";
import { endOfBare, maxQuoted, phraseName, type ReadValue, readValue, toBlank } from "./read-value.ts";
import { isSecretValue, judged, secretAfterScheme } from "./secret-value.ts";
import { isBareSignature, type NameStrength, secretNameStrength } from "./secret-names.ts";
import { sessionName } from "./session-name.ts";
import type { Span } from "./span.ts";

/** Every name that announces a secret has one of these in it; the short ones only as words of their own. */
const stems =
  `key token secret passw passp passc pwd auth cred cookie bearer jwt session mnemonic phrase conn macaroon signature hmac
  honeycomb-team salt code login access api saml sessid csrf xsrf hook license account certificate kennwort contraseña motdepasse senha wachtwoord
  adgangskode passord lösenord salasana hasło heslo jelszó şifre Şifre пароль парола лозинка 密码
  密碼 口令 パスワード 暗証番号 비밀번호 패스워드 lozinka geslo slaptažodis parool contrasenya contrasinal lykilorð parola κωδικός סיסמה סיסמא
  पासवर्ड รหัสผ่าน পাসওয়ার্ড گذرواژه`.split(/\s+/);
const wholeStems =
  `pw psk dsn sig sid pat otp sas seed sk wif pin crumb verifier encrypt unseal cert grant bindpw appid clave mdp`.split(
    /\s+/,
  );

const phrases = [
  "mot de passe",
  "كلمة المرور",
  "كلمة السر",
  "رمز عبور",
  "mật khẩu",
  "kata sandi",
  "kata laluan",
];

const stem = new RegExp(
  `${stems.join("|")}|${phrases.join("|")}|pass(?![a-z])|(?<![a-z](?<!${endOfEscape}))(?:${wholeStems.join("|")})(?![a-z])`,
  "iy",
);
const nameRest = /(?:[A-Za-z0-9_]|-(?!-)){0,64}/y;

export const assignmentFinder: Finder = {
  words: [...stems, ...wholeStems, ...phrases, "pass", "Κωδικός", "Mật khẩu"],
  find(text, at, found) {
    const stemEnd = skip(stem, text, at);
    if (stemEnd === at) return at + 1;
    if ((found.base64 & commonIn(text.slice(at, stemEnd))) !== 0) return at + 1;
    const end = skip(nameRest, text, stemEnd);
    const start = startOfName(text, at);
    const name = text.slice(start, end);
    const strength = secretNameStrength(name);
    // A line of base64 may end like a name.
    if (strength === null || looksRandom(lastPart(name), 24) || isInResourceName(text, start)) return end;
    if (endsBase64(text, start, end, name)) return end;
    if (strength === "hint" && skip(prose, text, end) > end) {
      found.needs(start, end + proseReach);
      return end;
    }
    const value = valueAfter(text, end, name, strength);
    found.needs(start, value === null ? end + nameReach : reachOf(text, value, name));
    if (value === null) return end;
    const span = withToken(text, cookiesIn(text, value, name) ?? secretIn(text, value, name, strength));
    if (span !== null) found.needs(start, reachOfRun(text, span.start, span.end));
    if (span !== null) found.push(span);
    const until = Math.max(end, span?.end ?? end);
    const list =
      span === null && strength !== "password" ? null : (listOf(text, value) ?? bareList(text, value, name));
    if (list === null) return until;
    return Math.max(until, findItems(text, value, list, { name, nameAt: start, strength }, found));
  },
};

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("_"), name.lastIndexOf("-"), name.lastIndexOf(".")) + 1);
}

/** A line of a signature may end like a name: `…Ri+8Pw`, and nothing but its end says so. */
function endsBase64(text: string, start: number, end: number, name: string): boolean {
  if (!/[\r\n\\]/.test(text.charAt(end))) return false;
  if (looksRandom(name, 16)) return true;
  return (
    /[+/]$/.test(text.slice(0, start).slice(-1)) &&
    base64Before.test(text.slice(Math.max(0, start - 48), start))
  );
}

const base64Before = /[A-Za-z0-9+/]{40}$/;

/** `arn:aws:secretsmanager:us-east-1:1234:secret:db-password-a1B2c3`: it names a secret and holds none. */
function isInResourceName(text: string, at: number): boolean {
  return resourceName.test(text.slice(Math.max(0, at - 96), at));
}

const resourceName =
  /\barn(?::|%3A)[a-z-]{3,16}(?::|%3A)[a-z0-9-]{2,32}(?::|%3A)[a-z0-9-]{0,32}(?::|%3A)[0-9]{0,12}(?::|%3A)$/i;

/** The most that is read of a list. */
const maxList = 16 * 1024;
const itemReach = 96;
const nextInBrackets =
  /(?:\\{0,3}["'`])?[ \t]{0,4}(?:\r?\n[ \t]{0,32})?,[ \t]{0,4}(?:\r?\n[ \t]{0,32})?(?![ \t\r\n,])/y;
const nextLine = /["'`]?[ \t]{0,4}\r?\n/y;

/** What follows the first item of a list is judged as that one was. Answers where the last of them ends that is hidden. */
function findItems(
  text: string,
  first: Value,
  list: string,
  { name, nameAt, strength }: { name: string; nameAt: number; strength: NameStrength },
  found: Findings,
): number {
  const isMember = isMemberOf(text, first, strength);
  let end = 0;
  for (let from = first.quoted ? first.end : endOfBare(text, first.end); from < first.start + maxList; ) {
    found.needs(nameAt, from + itemReach);
    const next = startOfItem(text, from, list);
    const item = next === from ? null : readValue(text, next, name);
    if (item === null) break;
    const value = { ...first, ...item, isMember };
    found.needs(nameAt, reachOf(text, value, name));
    const span = secretIn(text, value, name, strength);
    if (span !== null) found.push(span);
    if (value.end <= next) break;
    from = value.quoted ? value.end : endOfBare(text, value.end);
    end = span?.end ?? end;
  }
  return end;
}

/** Where the next item begins, `from` if there is none. */
function startOfItem(text: string, from: number, list: string): number {
  if (list === "[") return skip(nextInBrackets, text, from);
  const line = skip(nextLine, text, from);
  return line > from && text.startsWith(list, line) ? line + list.length : from;
}

/** After a mere hint: a short word, and nothing near that assigns. Most names of secrets stand in sentences like this. */
const prose = / (?!value|val|default|body|content)[A-Za-z][^\s=:"'`]{0,10}[\s.,;](?![^\n]{0,16}[=:"'`])/y;
const proseReach = 32;

/** How far from its name a value can begin, and how far behind a value something could still join it to its name. */
const nameReach = 768;
const valueReach = 48;
/** How long sixteen bytes are, and twenty-four words: shorter lists of them are no key. */
const bytesReach = 16 * 8;
const wordsReach = 24 * 11;

/** How much text decides about a value: if its quote is still open, all that could be in it. */
function reachOf(text: string, { start, end, quoted }: Value, name: string): number {
  const isOpen = !quoted && /["'`;]/.test(text.charAt(start - 1));
  if (isOpen && !text.slice(start, start + maxQuoted).includes("\n")) return start + maxQuoted;
  if (cookieName.test(name) && !text.slice(start, start + cookieReach).includes("\n"))
    return start + cookieReach;
  return Math.max(end + valueReach, start + (phraseName.test(name) ? wordsReach : bytesReach));
}

/** A name's beginning: at most 64 characters back, over at most two words ("client secret key"). */
function startOfName(text: string, from: number): number {
  let start = from;
  let spaces = 0;
  while (start > 0 && from - start < 64) {
    const code = text.charCodeAt(start - 1);
    if (code === 32 && spaces < 2 && start > 1 && isAlphanumeric(text.charCodeAt(start - 2))) spaces++;
    // $ - . _
    else if (!isAlphanumeric(code) && code !== 36 && code !== 45 && code !== 46 && code !== 95) break;
    start--;
  }
  const begin = Math.min(from, afterEscape(text, start));
  return spaces === 0 ? begin : skip(noWords, text.slice(0, from), begin);
}

/** What stands before a name and is no word of it. */
const noWords = /(?:[A-Za-z]* )?[^\s]*[^A-Za-z\s][^\s]* /y;

/** Spaces within a line, also those that do not look like any, and colours. */
const gap = String.raw`(?:[ \t\u00a0\u200b]|\u001b\[[0-9;]{0,8}m)`;

const quoteEntity = "&(?:quot|apos|#34|#39);";

/** What a template says of a parameter before its default: `type = string`, `NoEcho: true`, `"Type": "String",`. */
const describes = String.raw`(?:\\{0,3}["']?(?:[Tt]ype|[Dd]escription|sensitive|nullable|NoEcho|M(?:in|ax)Length)\\{0,3}["']?\s{0,12}[:=]\s{0,4}[^\s,{}][^\n,{}]{0,80}(?:,|\r?\n|\\{1,4}n)(?:\s|\\{1,4}[nrt]){0,24})`;

/**
 * What closes a name: quotes, brackets, an end tag, accessors, "1", and the word `value` where name and value are two
 * members.
 */
const closesName = new RegExp(
  `(?: [0-9]{1,2}(?=:| [0-9A-F]{8}))?(?:\\\\{0,3}["'\`\\])}*]|${quoteEntity}){0,4}(?:</\\w{1,32}>(?:(?:\\s|\\\\{1,4}[nrt]){0,24}<string(?=>))?)?(?: \\{ get; (?:set|init); \\})?(?:(?:(?:[\\s,;{]|\\\\{1,4}[nrt]){0,48}|\\s{0,8}:\\s{0,8}\\{?\\s{0,24})${describes}{0,4}(?:<|--|\\\\{0,3}["']|[a-z]{1,16}:)?(?:(?:[Pp]arameter)?[Vv]alue|val|[Dd]efault|body|content)\\b(?:\\\\{0,3}["'])?)?${gap}{0,16}`,
  "y",
);

/** What assigns: an operator, perhaps after a type; perhaps the value stands on the next line. */
const assigns = new RegExp(
  String.raw`\\?(?::?[ \t]*[A-Za-z&*<>[\]']{1,16}[ \t]+(?:[A-Za-z]{1,16}[ \t]+)?(?==))?(=>|%3[AaDd]|:{1,3}=|={1,3}|\|\|=?|\?{1,2}=|\?\?|[.+|]=|->|<<<|<-|(?<=[ \t])[–—-](?=[ \t])|[＝：→]|::(?=[ \t])|:-?|>|,|\||\)?\.?[A-Za-z]{0,12}\()${gap}{0,16}(?:\*{1,2}[ \t]{1,4})?(?:(?<!=[ \t]{0,4})[|>]?-?(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)[ \t]{0,24}(?:- )?)?(?:<[A-Za-z]{1,16}>|<!\[CDATA\[)?`,
  "y",
);

/** "The password for staging is", "the key provided:". */
const says = new RegExp(
  String.raw`(?:[ \t]?[a-zA-Z0-9]{1,12}[ \t]){0,4}((?:is|to|was|est|es|ist|è|é|er|är|jest|on|lautet)(?![a-z]):?|as|(?:for|of|on|to|für|pour|para|per|voor|dla|от|для)(?: [^\s:"'\`=]{1,32}){1,4}(?::| [–—-])|(?:provided|supplied|given|used):|'s)${gap}+|(は|是|为|為|은 |는 )`,
  "y",
);
const follows = new RegExp(
  String.raw`${gap}{1,16}|${gap}{0,16}(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n){1,2}[ \t]{0,24}|(?<=[ \t])`,
  "y",
);
/** What makes bytes of the text in it. */
const decodes = String.raw`(?:(?:Buffer\.from|bytes\.fromhex|bytearray\.fromhex|Uint8Array\.fromHex|fromHex|hexToBytes|hex\.DecodeString|(?:binascii\.)?unhexlify|(?:base64\.)?b64decode|atob|Some|\[\]byte|bs58\.decode|new TextEncoder\(\)\.encode|String::from|SecretString::(?:new|from))\()`;
const opensValue = new RegExp(
  `(?:\\\\{0,3}["'\`][ \\t]{0,2}[+.,%][ \\t]{0,2}(?=\\\\{0,3}["'\`]))?(?:\\$\\((?:echo|printf) |!!\\w{1,16} |&\\w{1,24} |string\\([0-9]{1,5}\\) )?(?:${decodes}?[[({]{0,2}[@rbufN]?(?=\\\\{0,3}["'\`])|(?:(?!\\[redacted)[[(]){0,2})`,
  "y",
);

type Value = ReadValue & {
  readonly operator: string | undefined;
  /** Where it was looked for: what opens it stands between. */
  readonly from: number;
  /** Whether it is as sure as an object's key, if that is known from another item of its list. */
  readonly isMember?: boolean;
};

function valueAfter(text: string, end: number, name: string, strength: NameStrength): Value | null {
  const closed = skip(closesName, text, end);
  const assignment =
    matchAt(assigns, text, closed) ?? (strength === "hint" ? null : matchAt(says, text, closed));
  const from = assignment === null ? skip(follows, text, closed) : closed + assignment[0].length;
  if (from === end || (isName(text, from) && !cookieName.test(name))) return null;
  const operator = assignment?.[1] ?? assignment?.[2];
  if (isItem(text, end, closed, operator) || isStandInAddress(text, end, from)) return null;
  if (operator === ">" && isStandInTag(text, end - name.length, name)) return null;
  if (operator === "|" && strength === "hint" && from - end === 1) return null;
  if (operator === undefined && isValueItself(text, end, closed, from, name)) return null;
  const read = readValue(text, skip(opensValue, text, from), name);
  if (read === null || (!/[:=?]/.test(operator ?? "") && isKey(text, read))) return null;
  const value = strength === "password" && !read.quoted ? toBlank(text, end, read) : read;
  return { ...value, operator, from };
}

const assignsToKey = new RegExp(String.raw`(?:\\{0,7}["'\`]|${quoteEntity})\s{0,16}:(?!:)`, "y");

/** `"name": "generate_password", "description": …`: what follows the word is a name itself, and has its own value. */
function isKey(text: string, { end, quoted }: ReadValue): boolean {
  return quoted && skip(assignsToKey, text, end) > end;
}

/** `["password"], "title"`: the last item of a list, and what comes behind the list. */
function isItem(text: string, end: number, closed: number, operator: string | undefined): boolean {
  return operator === "," && text.slice(end, closed).includes("]");
}

/** `://<user>:<password>@host`: what follows is the host. */
function isStandInAddress(text: string, end: number, from: number): boolean {
  return text.startsWith(">@", from - 1) && /:<[\w -]*$/.test(text.slice(Math.max(0, end - 64), end));
}

/** `API_TOKEN=<token>`, `<your token>`: what follows in the next line is another setting. */
function isStandInTag(text: string, start: number, name: string): boolean {
  const end = start + name.length;
  if (
    text.charAt(start - 1) !== "<" ||
    !/^>["'`]?[ \t]{0,4}(?:\r?\n|\\{1,4}[rn])/.test(text.slice(end, end + 12))
  )
    return false;
  return name.includes(" ") || /[=:]\s?["'`]?<$/.test(text.slice(Math.max(0, start - 4), start));
}

/** `error="invalid_token"`, and a line behind it: the name is a value in quotes. */
function isValueItself(text: string, end: number, closed: number, from: number, name: string): boolean {
  const isQuoted = /["']/.test(text.slice(end, closed)) && /[\r\n]/.test(text.slice(closed, from));
  const before = text.slice(Math.max(0, end - name.length - 10), end - name.length);
  return isQuoted && /[=:(,] ?["']$/.test(before) && !/[; ]name=["']$/.test(before);
}

const dash = /(?:^|\n)([ \t]{0,24}- )$/;

/** What each item of the list stands behind whose first one it is: a bracket, or an indented dash. */
function listOf(text: string, { from, start }: Value): string | null {
  if (text.slice(from, start).includes("[")) return "[";
  return dash.exec(text.slice(Math.max(0, from - 28), from))?.[1] ?? null;
}

/** `APP_KEYS=…,…`: of several without quotes or blanks each is judged. */
function bareList(text: string, { end, quoted, operator }: Value, name: string): string | null {
  return !quoted && operator === "=" && /s$/i.test(name) && text.charAt(endOfBare(text, end)) === ","
    ? "["
    : null;
}

const cookieName = /cookies?$/i;
const cookies = /[\w.-]{1,64}=[^\r\n"'`]{1,8192}/y;

/** How much of a line of cookies is looked at; the rest of it only where it is hidden. */
const cookieReach = 512;
const firstCookies = new RegExp(cookies.source.replace("8192", String(cookieReach)), "y");

/** `Cookie: a=b; session=d`: if one of them may open a session, none is shown. */
function cookiesIn(text: string, { start, end, quoted }: Value, name: string): Span | null {
  const stop = cookieName.test(name) ? skip(firstCookies, text, start) : start;
  const pairs = text.slice(start, Math.min(stop, start + cookieReach)).split(/[;\s]+/);
  const isSession = pairs.some((pair) => {
    const at = pair.indexOf("=");
    return at >= 0 && (sessionName.test(pair.slice(0, at)) || looksRandom(pair.slice(at + 1), 12));
  });
  return isSession ? { start, end: quoted ? end : skip(cookies, text, start), kind: "cookie" } : null;
}

/** A JSON Web Token goes on in the next lines. */
function withToken(text: string, span: Span | null): Span | null {
  return span === null ? null : { ...span, end: Math.max(span.end, endOfToken(text, span.start)) };
}

function secretIn(text: string, value: Value, name: string, strength: NameStrength): Span | null {
  if (value.start === value.end) return null;
  const credential =
    value.quoted || text.charAt(value.end) === " " ? secretAfterScheme(text, value, name) : null;
  if (credential !== null) return credential;
  const inner = text.slice(value.start, Math.min(value.end, value.start + judged));
  if (isLeftover(text, value) || isLongSignature(text, value, name)) return null;
  if (strength === "password" && isInConnection(text, value)) {
    return { start: value.start, end: value.end, kind: "password" };
  }
  if (!value.quoted && isCalled(text.charCodeAt(value.end), inner)) return null;
  if (
    !isSecretValue(inner, {
      name,
      strength,
      operator: value.operator,
      quoted: value.quoted,
      isMember: value.isMember ?? isMemberOf(text, value, strength),
    })
  )
    return null;
  const stop = value.quoted ? value.end : endOfBare(text, value.end);
  return { start: value.start, end: stop, kind: strength === "password" ? "password" : "secret" };
}

const longSignature = /(?<=["'])[A-Za-z0-9_+/-]{200}/y;

/** `"signature": "…"` of what a model thought, of a document: it proves, and opens nothing. */
function isLongSignature(text: string, { start }: Value, name: string): boolean {
  return isBareSignature(name) && skip(longSignature, text, start) > start;
}

const memberBefore = new RegExp(
  String.raw`(?:["']|${quoteEntity})\s{0,16}:\s{0,16}(\[\s{0,32})?(?:\\{0,3}["']|${quoteEntity})$`,
);

/** `"name": "value"`, as JSON writes it: as sure as an object's key. */
function isMemberOf(text: string, { start, quoted }: Value, strength: NameStrength): boolean {
  const before = quoted ? memberBefore.exec(text.slice(Math.max(0, start - 80), start)) : null;
  return before !== null && (before[1] === undefined || strength === "password");
}

const nextSetting = /;[A-Za-z ]{2,32}=/y;

/** `Server=…;Password=…;Database=…;`: whatever stands there is the password. `.netrc` says it with spaces. */
function isInConnection(text: string, { start, end, quoted, operator }: Value): boolean {
  if (quoted) return false;
  const before = text.slice(Math.max(0, start - 160), start);
  if (operator === undefined) return /\blogin\s+\S+\s+password\s+$/.test(before);
  return operator === "=" && (skip(nextSetting, text, end) > end || /;\s?[A-Za-z ]{2,32}=$/.test(before));
}

/** What is left of a value whose secret is already gone. */
function isLeftover(text: string, { start, end, quoted }: Value): boolean {
  return quoted ? text.slice(start, end).includes("[redacted") : text.startsWith("[redacted", end);
}

/** `password = decode(…)`, `settings["password"]`: what is called or looked into is no value. */
function isCalled(next: number, value: string): boolean {
  // ( [
  return (next === 40 || next === 91) && /^[A-Za-z_$][\w$.?]*$/.test(value);
}

const nextName = /[A-Za-z_-]{2,32}(?=[ \t]?[=:])/y;

/** What follows is a secret's name again, with a value of its own. */
function isName(text: string, from: number): boolean {
  const end = skip(nextName, text, from);
  return end > from && secretNameStrength(text.slice(from, end)) !== null;
}
