// Plain JavaScript, so that an old Node can still read it and say what is wrong.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `SimpleFunctions needs Node 22.18 or newer; this is ${process.version}. Use "npm start", or install a newer Node.`,
  );
  process.exit(1);
}
process.argv.splice(2, 0, "up");
await import("../packages/cli/bin/sf.mjs");
