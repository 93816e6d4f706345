// Before the tests: our packages as somebody who installed them has them, once for all processes that tests start. They begin in a
// third of the time that the sources take, and it is what people run. Who looks at the sources starts with them; see start-installed.ts.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bundlePackage } from "../../scripts/bundle-package.mjs";

const root = resolve(import.meta.dirname, "../..");
const installed = join(root, "node_modules/.cache/installed");
const dayMs = 86_400_000;

/** Packs and programs of tests lie among the sources: what they import of ours is what is installed. */
const register = `import { registerHooks } from "node:module";
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier.startsWith("@spfunctions/") ? { ...context, parentURL: import.meta.url } : context),
});
`;

export default async function installPackages() {
  const folder = join(installed, stateOfSources());
  try {
    if (!existsSync(folder)) await putInto(folder);
    process.env["SF_TEST_INSTALLED"] = folder;
  } catch (error) {
    // While one package is being worked at, the tests of the others still run.
    if (process.env["CI"]) throw error;
    console.warn(`processes of tests start from the sources, because bundling them failed: ${error.message}`);
  }
}

async function putInto(folder) {
  // Made aside and put there whole: others may run tests at the same time.
  const made = `${folder}.${process.pid}`;
  await Promise.all(readdirSync(join(root, "packages")).map((name) => install(name, made)));
  writeFileSync(join(made, "register.mjs"), register);
  try {
    renameSync(made, folder);
  } catch (error) {
    // Whoever was first has put the same there.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  for (const other of readdirSync(installed))
    if (Date.now() - statSync(join(installed, other)).mtimeMs > dayMs)
      rmSync(join(installed, other), { recursive: true, force: true });
}

async function install(name, made) {
  const source = join(root, "packages", name);
  const target = join(made, "node_modules/@spfunctions", name);
  for (const [file, text] of await bundlePackage(name)) {
    mkdirSync(dirname(join(target, "dist", file)), { recursive: true });
    writeFileSync(join(target, "dist", file), text);
  }
  for (const file of ["package.json", "bin"])
    if (existsSync(join(source, file))) cpSync(join(source, file), join(target, file), { recursive: true });
}

/** Another one as soon as something is changed that they are made of. */
function stateOfSources() {
  const files = globSync(
    ["packages/*/{src,bin}/**", "packages/*/package.json", "scripts/bundle-package.mjs", "package-lock.json"],
    { cwd: root },
  );
  const states = files.map((file) => [
    file,
    statSync(join(root, file)).mtimeMs,
    statSync(join(root, file)).size,
  ]);
  return createHash("sha256").update(JSON.stringify(states.toSorted())).digest("hex").slice(0, 16);
}
