#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still read it and say what is wrong.
import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import module from "node:module";
import { dirname, isAbsolute, join } from "node:path";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `sf needs Node 22.18 or newer; this is ${process.version}. Install a newer Node; a clone brings one along: export PATH="<clone>/node_modules/.bin:$PATH"`,
  );
  process.exit(1);
}

// What Node calls experimental is chosen by us and no news for whoever calls a tool.
const printers = process.listeners("warning");
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") for (const print of printers) print(warning);
});

keepCompiled();

// The package itself answers whether its sources are asked for: node --conditions=source.
const isSource = import.meta.resolve("@spfunctions/cli").endsWith(".ts") || readsSources();
await (isSource ? import("../src/main.ts") : import("../dist/main.js"));

/** In a clone that nobody has built, `sf` is its sources: as if they had been asked for, also where packs ask for our packages. */
function readsSources() {
  const [built, source] = ["../dist/main.js", "../src/main.ts"].map((path) => new URL(path, import.meta.url));
  if (existsSync(built) || !existsSync(source)) return false;
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ["source", ...context.conditions] }),
  });
  return true;
}

/**
 * Code that was compiled once is kept for the next start, in a cache folder that this person already has: no other place is begun
 * for it. It is code and never what a call was given or answered. What somebody else can write there would be run by us: where
 * the folder, or one it is in, is not in the hands of this person or the system alone, nothing is kept and nothing is read.
 */
function keepCompiled() {
  const { XDG_CACHE_HOME: named = "", HOME: home = "" } = process.env;
  // Without users there is no telling whose it is.
  if (process.getuid === undefined || !isAbsolute(named || home)) return;
  try {
    const caches = realpathSync(named || join(home, ".cache"));
    if (!isInSafeHands(caches)) return;
    const ours = join(caches, "simplefunctions");
    const folder = join(ours, "compiled");
    for (const made of [ours, folder]) if (!existsSync(made)) mkdirSync(made, { mode: 0o700 });
    if (isPrivate(ours) && isPrivate(folder)) module.enableCompileCache(folder);
  } catch {
    // It starts as it would without.
  }
}

/** Nobody but this person and the system can put something else in its place. */
function isInSafeHands(folder) {
  const { uid, mode } = lstatSync(folder);
  const isSafe = [0, process.getuid()].includes(uid) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
  return isSafe && (dirname(folder) === folder || isInSafeHands(dirname(folder)));
}

function isPrivate(folder) {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
}
