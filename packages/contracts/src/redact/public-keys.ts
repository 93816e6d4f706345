// Public keys and certificates: they are meant for everybody, also under names like `key` and `certificate`.
import { looksRandom } from "./looks-random.ts";

const base64 = "[A-Za-z0-9+/]";
const ssh = String.raw`(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) AAAA${base64}{20}`;
/** How the DER of a certificate and of a public key begins. A private key begins with its version instead. */
const der = `MII${base64}{3}CC${base64}{12}|MIIB[A-Za-z]jANBgkqhkiG9w0BAQEFAAOC|MIGfMA0GCSqGSIb3DQEBAQUAA4GN|MFkwEwYHKoZIzj0CAQ|MHYwEAYHKoZIzj0CAQ|MCowBQYDK2VwAyEA`;

const begins = new RegExp(`^(?:${ssh}|${der})`);
const wholeDer = new RegExp(`^(?:${der})${base64}{0,16384}={0,2}$`);
const sshLine = new RegExp(String.raw`^${ssh}${base64}{0,2048}={0,3}(?: ([\w.+@-]{1,96}))?$`);
const pem =
  /^\s*(?:-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE|(?:NEW )?CERTIFICATE REQUEST|(?:RSA |EC )?PUBLIC KEY|X509 CRL|PGP PUBLIC KEY BLOCK)-----(?:[A-Za-z0-9+/=\s.:,()<>@]|\\[nr])*-----END \1-----(?:\s|\\[nr])*)+$/;

/** Longer texts are more than keys. */
const maxKeys = 64 * 1024;

/** Whether a text begins like a public key or a certificate. */
export function beginsPublicKey(text: string): boolean {
  return begins.test(text);
}

/** Whether all of a text is public keys or certificates. */
export function isPublicKey(text: string): boolean {
  if (text.length < 32 || text.length > maxKeys) return false;
  return wholeDer.test(text) || pem.test(text) || isOfSshKeys(text);
}

function isOfSshKeys(text: string): boolean {
  return text.trim().split(/\r?\n/).every(isSshKey);
}

function isSshKey(line: string): boolean {
  const [key, comment = ""] = sshLine.exec(line) ?? [];
  return key !== undefined && !looksRandom(comment, 16);
}
