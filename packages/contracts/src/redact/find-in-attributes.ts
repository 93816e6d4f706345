import { type Finder, matchAt } from "./finder.ts";
import { isAboutPassword } from "./is-about-password.ts";
import { isWholeReference } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import { secretNameStrength } from "./secret-names.ts";

const pair =
  /value=\\{0,3}(["'])([^"'\\\n<>]{3,1024})\\{0,3}\1\s{1,8}(?:key|name)=\\{0,3}["']([\w.:-]{1,64})\\{0,3}["']/dy;
const reach = 1200;

/** The same as members of JSON: `"value": "…", "name": "SMTP_PASSWORD"`. */
const members =
  /value\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{3,1024})\\{0,3}"\s{0,4},\s{0,24}\\{0,3}"(?:key|name)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([\w.:-]{1,64})\\{0,3}"/dy;

/** `<add value="…" key="ClearTextPassword" />`: the name may stand behind its value. */
export const attributeFinder: Finder = {
  words: ["value=", 'value"', "value\\"],
  find(text, at, found) {
    if (/^value(?:=\\{0,3}["']|\\{0,3}"\s{0,4}:)/.test(text.slice(at, at + 16))) found.needs(at, at + reach);
    const match = matchAt(pair, text, at);
    const member = match === null ? matchAt(members, text, at) : null;
    const place = match?.indices?.[2] ?? member?.indices?.[1];
    if (place === undefined) return at + 1;
    const value = match?.[2] ?? member?.[1] ?? "";
    const name = match?.[3] ?? member?.[2] ?? "";
    const strength = secretNameStrength(name);
    const isSecret =
      strength === "password"
        ? !isWholeReference(value) && !isAboutPassword(value)
        : strength !== null && looksRandom(value, 12);
    if (!isSecret) return place[1];
    found.add(place[0], place[1], strength === "password" ? "password" : "secret");
    return place[1];
  },
};
