import { type Finder, matchAt } from "./finder.ts";
import { looksRandom } from "./looks-random.ts";
import { sessionName } from "./session-name.ts";

/** The last five columns of seven: path, secure, expiry, name and value. */
const cookie =
  /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,256}\t(?:TRUE|FALSE)\t[0-9]{1,12}\t([^\t\n]{1,128})\t((?!\[redacted)[^\s]{1,8192})/dy;
/** How far the columns before the value reach. */
const reach = 448;

/** A jar as `curl -c` writes it, a cookie a line. */
export const cookieJarFinder: Finder = {
  words: ["\tTRUE\t/", "\tFALSE\t/"],
  find(text, at, found) {
    const match = matchAt(cookie, text, at);
    if (match === null) {
      if (/^\t(?:TRUE|FALSE)\t\//.test(text.slice(at, at + 8))) found.needs(at, at + reach);
      return at + 1;
    }
    const [, name = "", value = ""] = match;
    const place = match.indices?.[2];
    if (place === undefined) return at + 1;
    found.needs(at, place[1] + 1);
    if (!(sessionName.test(name) || looksRandom(value, 12))) return at + 1;
    found.add(place[0], place[1], "cookie");
    return place[1];
  },
};
