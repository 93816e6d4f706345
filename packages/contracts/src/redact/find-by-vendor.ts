import { endsEscape } from "./escape-before.ts";
import { type Finder, isAlphanumeric, matchAt, skip } from "./finder.ts";
import { isReference } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import { vendorNames } from "./vendor-names.ts";

const name = /[A-Za-z][A-Za-z0-9]{3,31}(?![\w-])/y;
const assigned =
  /["'`]?[ \t]{0,4}(?:=>|:=|={1,2}|:(?=[ \t"'`]))[ \t]{0,4}\\?["'`]?([^\s"'`,;(){}<>\\]{14,512})/dy;

/** Longer than any id that is written in digits. */
const allDigits = /^[0-9]{32,}$/;

/** How far a name and what is assigned to it reach. */
const reach = 96;

/** `sendgrid = "…"`: a service's name alone, and a random value. */
export const vendorFinder: Finder = {
  words: [...vendorNames],
  find(text, at, found) {
    if (at > 0 && continuesName(text.charCodeAt(at - 1)) && !endsEscape(text, at)) return at + 1;
    const end = skip(name, text, at);
    if (end === at || !vendorNames.has(text.slice(at, end).toLowerCase())) return at + 1;
    found.needs(at, end + reach);
    const match = matchAt(assigned, text, end);
    const place = match?.indices?.[1];
    const value = match?.[1] ?? "";
    if (place === undefined || !(looksRandom(value, 14) || allDigits.test(value)) || isReference(value))
      return end;
    found.add(place[0], place[1], "secret");
    return place[1];
  },
};

/** A letter or digit, or one of - . / @ _ */
function continuesName(code: number): boolean {
  return isAlphanumeric(code) || code === 45 || code === 46 || code === 47 || code === 64 || code === 95;
}
