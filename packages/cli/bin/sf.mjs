#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still read it and say what is wrong.
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`sf needs Node 22.18 or newer; this is ${process.version}. Install a newer Node.`);
  process.exit(1);
}

// What Node calls experimental is chosen by us and no news for whoever calls a tool.
const printers = process.listeners("warning");
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") for (const print of printers) print(warning);
});

// The package itself answers whether its sources are asked for: node --conditions=source.
const isSource = import.meta.resolve("@spfunctions/cli").endsWith(".ts");
if (!isSource && !existsSync(new URL("../dist/main.js", import.meta.url))) {
  console.error('sf is not built here. Run "npm run build", or node --conditions=source with this file.');
  process.exit(1);
}
await (isSource ? import("../src/main.ts") : import("../dist/main.js"));
