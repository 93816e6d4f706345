// Packs every package as it would be published, installs the archives in an empty project and imports them there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = resolve(import.meta.dirname, "..");
const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
const project = mkdtempSync(join(tmpdir(), "simplefunctions-pack-"));
let failures = 0;

// What runs here once is not worth keeping.
process.env.NODE_DISABLE_COMPILE_CACHE = "1";

function fail(message) {
  failures++;
  console.error(`✗ ${message}`);
}

try {
  const archives = packages.map((folder) => pack(folder));
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module" }),
  );
  run("npm", [
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...archives.map(({ archive }) => archive),
  ]);
  for (const { folder, manifest } of archives) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the report is in order
    await lint(folder, manifest);
    for (const entry of Object.keys(manifest.exports)) importEntry(manifest, entry);
  }
  checkTypes(archives.map(({ manifest }) => manifest));
  checkProgram();
} finally {
  rmSync(project, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function pack(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (manifest.private !== true) fail(`${manifest.name} must be private: nothing is published`);
  const [{ filename, files }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], folder),
  );
  const tests = files.filter(({ path }) => /\.test(-d)?\./.test(path));
  if (tests.length > 0) fail(`${manifest.name} packs its tests: ${tests[0].path}`);
  return { folder, manifest, archive: join(project, filename) };
}

async function lint(folder, manifest) {
  const { messages } = await publint({ pkgDir: folder, strict: true });
  for (const message of messages) fail(`${manifest.name}: ${formatMessage(message, manifest)}`);
}

/** What can be imported from the installed package is what its sources offer, neither more nor less. */
function importEntry(manifest, entry) {
  if (entry.endsWith(".json")) return;
  const specifier = manifest.name + entry.slice(1);
  const program = `console.log(Object.keys(await import(${JSON.stringify(specifier)})).sort().join(" "))`;
  const script = ["--input-type=module", "--eval", program];
  const names = run(process.execPath, script).trim();
  if (names === "") fail(`${specifier} exports nothing`);
  else if (names !== run(process.execPath, ["--conditions=source", ...script], root).trim())
    fail(`${specifier} does not export what its sources do: ${names}`);
  else console.log(`✓ ${specifier}: ${names.split(" ").length} exports`);
}

/** The packed declarations, as a stranger's strict compiler sees them: for the browser's package without Node's types. */
function checkTypes(manifests) {
  const forBrowsers = manifests.filter(
    ({ imports }) => imports?.["#sha256"] !== undefined || imports?.["#place"] !== undefined,
  );
  compile("browser.ts", forBrowsers, ["--types", ""]);
  compile("node.ts", manifests, ["--types", "node", "--typeRoots", join(root, "node_modules/@types")]);
}

/** The installed sf, with a pack of the project's own: a tool is one only for the kernel that made it, so there must be one of it. */
function checkProgram() {
  const tool = {
    name: "notes.read",
    description: "Reads a note.",
    input: { type: "object" },
    output: { type: "object" },
    permissions: ["notes:read"],
    sideEffect: "none",
    costEffect: "none",
  };
  const source = `import { defineTool } from "@spfunctions/agent";
export default defineTool({ ...${JSON.stringify(tool)}, run: () => ({}) });`;
  writeFileSync(join(project, "notes.mjs"), source);
  const { outcome } = JSON.parse(
    sf("explain", "notes.read", "--pack", "./notes.mjs", "--input", "{}", "--json"),
  );
  if (outcome !== "allow") fail(`the installed sf decides otherwise: ${outcome}`);
  else console.log(`✓ sf ${sf("--version").trim()}, installed, explains a tool of a pack`);
}

function sf(...argv) {
  return run(process.execPath, ["node_modules/@spfunctions/cli/bin/sf.mjs", ...argv]);
}

function compile(file, manifests, types) {
  const entries = manifests.flatMap(({ name, exports }) =>
    Object.keys(exports)
      .filter((entry) => !entry.endsWith(".json"))
      .map((entry) => name + entry.slice(1)),
  );
  const imports = entries.map((entry, index) => `export * as entry${index} from "${entry}";`);
  writeFileSync(join(project, file), imports.join("\n"));
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", ...types];
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options, file]);
  console.log(`✓ types of ${entries.length} entries (${file})`);
}

function run(command, args, cwd = project) {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
