import { homedir } from "node:os";
import { resolve } from "node:path";

const places = [resolve(import.meta.dirname, "../../.."), homedir()].map((place) =>
  `${place}/`.replaceAll(/\W/g, String.raw`\$&`),
);

/** What an answer says that only this process should know: where its files lie, how it is built, a key. */
export const telling = new RegExp(
  [
    ...places,
    "node_modules",
    "/packages/",
    "/home/",
    String.raw`\bat [\w.<>]+ \(`,
    "file://",
    "sf_live_",
  ].join("|"),
);
