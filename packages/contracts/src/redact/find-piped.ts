// Secrets that a command line hands to a program's input.
import { type Finder, matchAt, skip } from "./finder.ts";
import { isReference } from "./is-reference.ts";

const piped =
  /(?:echo|printf)(?: -\w{1,4}){0,2} \\?["']?([^\s"'|\\]{4,1024})(?:\\{1,2}n)?\\?["']? {0,2}\| {0,2}([^\n|]{1,256})/dy;
const beforePipe = /(?:echo|printf)(?: -\w{1,4}){0,2} \\?["']?[^\s"'|\\]{0,1024}(?:\\{1,2}n)?\\?["']? {0,2}/y;
const reachBehind = 260;

/** Programs that read a password or a key there. */
const takesSecret =
  /--password-stdin|--passphrase-fd|--pass(?:word)?-?fd|--with-token|^sudo (?:-\w+ ){0,3}-S\b|^sudo -S|secret(?:s)? (?:create|put|set|add|versions add)|secrets versions add|\bcryptsetup\b|passwd --stdin|^(?:sudo )?kinit\b|^vault login -|secret-tool store|pass insert|-passin stdin|-pass stdin|login --password-stdin/;

/** `echo … | docker login --password-stdin`. */
export const pipedFinder: Finder = {
  words: ["echo ", "printf "],
  find(text, at, found) {
    const end = skip(beforePipe, text, at);
    if (end < text.length && text.charAt(end) !== "|") return at + 1;
    if (!text.slice(end, end + reachBehind).includes("\n")) found.needs(at, end + reachBehind);
    const match = matchAt(piped, text, at);
    const place = match?.indices?.[1];
    if (place === undefined || isReference(match?.[1] ?? "") || !takesSecret.test(match?.[2] ?? ""))
      return at + 1;
    found.add(place[0], place[1], "password");
    return place[1];
  },
};
