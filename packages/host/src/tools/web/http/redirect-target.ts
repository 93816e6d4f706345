// B29: where a server sends us is its word alone. It is read as strictly as it is judged, and a hop never gives up encryption.
import type { Reach } from "@spfunctions/kernel";
import type { Answer } from "./send-get.ts";
import { upstreamFault } from "./web-faults.ts";

const redirecting = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends whoever asked, if it does. Whether that may be reached is another question. */
export function redirectTarget({ status, headers }: Pick<Answer, "status" | "headers">, from: Reach) {
  if (!redirecting.has(status)) return undefined;
  const [said = "", ...others] = headers["location"] ?? [];
  // Byte by byte it came, and UTF-8 it is where it is not ASCII.
  const location = Buffer.from(said, "latin1").toString();
  if (location === "") throw bad(from, "does not say where to");
  if (others.length > 0) throw bad(from, "says several places");
  // A backslash or a control character is read one way here and another way there.
  if (/[\p{Cc}\\]/u.test(location)) throw bad(from, "has characters that an address has not");
  if (!URL.canParse(location, from.url)) throw bad(from, "leads to what is no address");
  const target = new URL(location, from.url);
  if (target.protocol !== "http:" && target.protocol !== "https:")
    throw bad(from, "leads to another scheme than http and https");
  if (target.username !== "" || target.password !== "") throw bad(from, "holds a user name or password");
  if (target.protocol === "http:" && from.url.startsWith("https:"))
    throw bad(from, "leads from https to plain http");
  target.hash = "";
  return target.href;
}

function bad({ host }: Reach, problem: string): Error {
  return upstreamFault(`the redirect of ${host} ${problem}; it is not followed`, "bad_redirect");
}
