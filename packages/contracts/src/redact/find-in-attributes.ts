import { type Finder, matchAt } from "./finder.ts";
import { isAboutPassword } from "./is-about-password.ts";
import { isWholeReference } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import { secretNameStrength } from "./secret-names.ts";

const pair =
  /value=\\{0,3}(["'])([^"'\\\n<>]{3,1024})\\{0,3}\1\s{1,8}(?:key|name)=\\{0,3}["']([\w.:-]{1,64})\\{0,3}["']/dy;
const reach = 1200;

/** `<add value="…" key="ClearTextPassword" />`: the name may stand behind its value. */
export const attributeFinder: Finder = {
  words: ["value="],
  find(text, at, found) {
    if (/value=\\{0,3}["']/y.test(text.slice(at, at + 10))) found.needs(at, at + reach);
    const match = matchAt(pair, text, at);
    const place = match?.indices?.[2];
    if (place === undefined) return at + 1;
    const [, , value = "", name = ""] = match ?? [];
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
