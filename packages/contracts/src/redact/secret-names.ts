// Which names announce a secret. One list serves object keys, headers, assignments, flags and query parameters.
import { cutPlaceholders } from "./placeholder.ts";

/**
 * How much a name says about its value. `password`: whatever stands there is one. `secret`: it is one unless it is
 * plainly a word or a reference. `hint`: it is one if it looks random.
 */
export type NameStrength = "password" | "secret" | "hint";

/** Passwords in the languages people configure in; matched at the end of a name's joined words. */
const password =
  /(?:passwords?|passwd|passphrase|passcode|passwort|kennwort|pwd|pword|(?:^|user|db|ssh|root|require|ftp|smtp|mail|admin|become|wifi|bind|key|master|store|keystore|trust)pass|(?:^|bind|db|root)pw|psk|contraseña|motdepasse|senha|clave|wachtwoord|adgangskode|passord|lösenord|salasana|hasło|heslo|jelszó|şifre|пароль|парола|лозинка|密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드|lozinka|geslo|slaptažodis|parool|contrasenya|contrasinal|lykilorð|parola|κωδικός|סיסמה|סיסמא|पासवर्ड|รหัสผ่าน|পাসওয়ার্ড|گذرواژه|كلمةالمرور|كلمةالسر|رمزعبور|mậtkhẩu|katasandi|katalaluan|^mdp)$/;

/** Cookies that open a session, and what signs somebody in. */
const opening = /(?:phpsess|jsession|aspnetsession|aspsession)id$|saml(?:response|assertion)$/;

const secret =
  /(?:secret|token|credential|authorization|authentication|cookie|jwt|bearer|macaroon|mnemonic|seedphrase|recoveryphrase|backupphrase|connectionstring|connstr|privatekeydata|keymaterial)s?$|(?:api|app|access|secret|private|priv|signing|sign|encryption|encrypt|decryption|cipher|master|auth|shared|account|hmac|service|webhook|client|consumer|deploy|admin|license|subscription|storage|ssh|write|read|ingest|integration|sdk|server|rest|project|root|user|token|merchant|registration|unseal|record)keys?$|(?:^|vault|approle|role)secretid$|apihash$|^xhoneycombteam$/;

/** Last words that only describe a secret. `tokenCount`, `passwordPolicy`, `secretName` hold none. */
const describing = words(
  `id ids name names type types kind count counts length size limit limits url urls uri endpoint path paths file files
  filename dir folder expiry expires expiration expired at ttl age date time policy policies rule rules hint label title
  field fields arn ref refs version status state enabled disabled required optional valid invalid prompt placeholder
  strength min max format regex pattern alg algorithm method mode scope scopes owner issuer audience provider description
  help error errors message usage index position offset budget cost price rate window per family symbol address supply
  list input output manager store service factory handler validator parser generator helper util utils tests schema
  note notes comment comments mint src`,
);

/** Whether a member of this name only describes what it stands in: `updatedAt`, `type`, `description`. */
export function isDescribing(name: string): boolean {
  return describing.has(wordsOf(name).at(-1) ?? "");
}

/** What makes even an id worth hiding when it looks random: `API_KEY_ID` is half of a pair. */
const pairedId = /(?:apikey|accesskey|access|auth|token|secretkey|privatekey)id$/;

/** Last words that change nothing: `API_KEY_PROD` is an API key. */
const neutral = words(
  `value values val text string str data raw plain plaintext base64 b64 encoded header env var prod production dev
  development staging stage live sandbox old new current previous default main backup eu us local base test secure body`,
);

/** Before `token`: the tokens of texts, pages and coins. */
const otherTokens = words(
  `page next continuation cursor sync resume max min num total prompt completion reasoning cached input output stop
  special pad eos bos unk mask sep cls erc20 nft governance base quote image audio text per budget
  idempotency creation progress starting start delta scroll design`,
);

/** Before `key`: the keys of tables, maps and keyboards, and those meant for everybody. */
const otherKeys = words(
  `public publishable primary foreign partition sort cache idempotency dedupe object row group index unique map hot
  pub recv fingerprint translation i18n query press arrow enter shift range composite natural surrogate lookup dedup deduplication routing ordering correlation grouping tracking host hash site trusted verify verifying verification
  file resource business message event join`,
);

/** Before `pass`: those of travellers, filters and compilers. */
const otherPasses = words(
  `boarding first second third multi single all low high band one two test tests render build compiler opt dry day bus travel rail
  season ski event hall back by should did will must can to not and or if depth light shader next last each per`,
);

const hints = words(
  `key keys auth session sid sig signature hmac salt code api access pat otp totp dsn sas secrets csrf xsrf webhook hook
  appid account pin login certificate cert seed wif keypair grant crumb creds verifier sk ak totp encrypt license cborhex oauth`,
);

const aboutSecrets = /^(?:secrets?|token|apikey|password|credentials?|auth)$/;

/** `admin_key_eu2`: a key, whatever is said of it behind. */
const keyInside = /(?:api|admin|access|secret|private|service|master|app|auth|s3|ssh)keys?/;

/** What a model's provider encrypted or signed for itself: it has to come back as it was, and opens nothing. */
const providerState = /^(?:encrypted_?content|thought_?signatures?)$/i;

export function isProviderState(name: string): boolean {
  return providerState.test(name);
}

/** Signatures prove and salts vary, neither opens anything, unless an address or a setting carries them. */
export function isBareSignature(name: string): boolean {
  return /^(?:sig|signature|salt)$/i.test(name);
}

/** The same names come again and again; the limits keep a hostile text from filling the memory. */
const known = new Map<string, NameStrength | null>();
const maxKnown = 4096;
const maxKnownChars = 64;

/** How strongly a name announces a secret, or null. Any case, any separators. */
export function secretNameStrength(name: string): NameStrength | null {
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  // A placeholder's kind is not part of a name.
  const strength = classify(wordsOf(name.includes("[redacted") ? cutPlaceholders(name) : name));
  if (name.length > maxKnownChars) return strength;
  if (known.size >= maxKnown) known.clear();
  known.set(name, strength);
  return strength;
}

function classify(parts: string[]): NameStrength | null {
  while (parts.length > 1 && neutral.has(parts.at(-1) ?? "")) parts.pop();
  const last = parts.at(-1);
  if (last === undefined || /thoughtsignatures?$/.test(parts.slice(-2).join(""))) return null;
  const joined = parts.slice(-4).join("");
  if (password.test(joined)) return "password";
  if (/tokens?$/.test(last) && parts.slice(-3).some((part) => otherTokens.has(part))) return null;
  if (last === "tokens" && parts.length === 1) return "hint";
  if (/(?:^existing|tls)secrets?$|clientrequesttoken$|publickeymaterial$/.test(joined)) return null;
  if (/^keys?$/.test(last) && otherKeys.has(parts.at(-2) ?? "")) return null;
  if (/keys?$/.test(last) && otherKeys.has(last.replace(/keys?$/, ""))) return null;
  if (secret.test(joined) || opening.test(joined)) return "secret";
  if (last === "pass" && parts.length > 1) return otherPasses.has(parts.at(-2) ?? "") ? null : "password";
  if (last === "pw") return "password";
  if (describing.has(last) || /(?:key|access)id$/.test(last)) return pairedId.test(joined) ? "hint" : null;
  if (hints.has(last) || /(?:key|keystring|salt)$/.test(last)) return "hint";
  return parts.some((part) => aboutSecrets.test(part)) || keyInside.test(joined) ? "hint" : null;
}

function wordsOf(name: string): string[] {
  return name
    .slice(-96)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((part) => (/^(?:i18n|erc20|base64|b64)$/.test(part) ? part : part.replace(/\d+$/, "")))
    .filter((part) => part !== "");
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
