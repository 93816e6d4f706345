// Packages as they are installed: each entry of a package is one file of JavaScript, with others only where code is loaded later. A
// program starts slowly when it is read from hundreds of files.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

// Packages never hold each other: what is a tool, a held secret or an error of ours is known to one module, and there is one of it.
// What they hold of others keeps nothing that somebody else must find: two of it in one process do no harm.
const held = {
  // Half of zod's files are its translations, and every program would read all of them.
  contracts: ["zod"],
  // A hundred files, of which the kernel's public types show none.
  kernel: ["ajv", "ajv-formats"],
};

const packages = resolve(import.meta.dirname, "../packages");

/** The files of a package's dist/, by name, without declarations. */
export async function bundlePackage(name) {
  const folder = join(packages, name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const bundle = await rolldown({
    input: entriesOf(folder, manifest),
    cwd: folder,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"], conditionNames: ["import", "default"] },
    external: (id) => isOutside(id, manifest, held[name] ?? []),
    onLog: (_, log) => {
      throw new Error(`building ${manifest.name}: ${log.message}`);
    },
  });
  // Side by side, as the sources' own folder is beside package.json too. Without hashes: the same names every time.
  const { output } = await bundle.generate({ format: "esm", chunkFileNames: "[name].js" });
  await bundle.close();
  const files = new Map(output.map(({ fileName, code }) => [fileName, code]));
  const licences = licencesIn(output.flatMap(({ moduleIds }) => moduleIds));
  if (licences !== "") files.set("third-party-licences.txt", licences);
  return files;
}

/** Every file of dist/ that is named by the package or by its programs, and the source it is made from. */
function entriesOf(folder, { exports, imports = {}, bin = {} }) {
  const programs = Object.values(bin).map((file) => readFileSync(join(folder, file), "utf8"));
  const named = [JSON.stringify({ exports, imports }), ...programs].join("\n");
  const names = [...named.matchAll(/\.\/dist\/([^"]+)\.js"/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name) => [name, join(folder, "src", `${name}.ts`)]));
}

/** What is found where the package is installed, and not in it. */
function isOutside(id, { dependencies = {} }, inside) {
  if (id.startsWith("node:") || id.startsWith("#")) return true;
  const [, name] = /^((?:@[^/]+\/)?[^./@][^/]*)/.exec(id) ?? [];
  return name !== undefined && Object.hasOwn(dependencies, name) && !inside.includes(name);
}

function licencesIn(modules) {
  const folders = modules.map((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]);
  const texts = [...new Set(folders)]
    .filter((found) => found !== undefined)
    .map((found) => {
      const { name, version } = JSON.parse(readFileSync(join(found, "package.json"), "utf8"));
      const [file] = globSync("LICENSE*", { cwd: found });
      if (file === undefined) throw new Error(`${name} has no licence that could be packed with it`);
      return `${name} ${version}\n\n${readFileSync(join(found, file), "utf8").trim()}\n`;
    });
  return texts.toSorted().join("\n\n");
}
