// Makes dist/ of every package: declarations by the compiler, JavaScript by the bundler.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundlePackage } from "./bundle-package.mjs";

const root = resolve(import.meta.dirname, "..");
const compiler = join(root, "node_modules/typescript/bin/tsc");
const declarations = [compiler, "-b", join(root, "tsconfig.build.json"), "--emitDeclarationOnly"];
const { status } = spawnSync(process.execPath, declarations, { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await Promise.all(readdirSync(join(root, "packages")).map((name) => build(name)));

async function build(name) {
  const files = await bundlePackage(name);
  const folder = join(root, "packages", name);
  clear(folder);
  for (const [file, text] of files) writeFileSync(join(folder, "dist", file), text);
  console.log(`✓ @spfunctions/${name}: ${files.size} files`);
}

/** Takes away what an earlier build has left and the sources do not have any more. */
function clear(folder) {
  for (const file of globSync("dist/**/*.{js,d.ts}", { cwd: folder })) {
    const source = file.replace(/^dist/, "src").replace(/\.d\.ts$/, ".ts");
    if (file.endsWith(".js") || !existsSync(join(folder, source))) rmSync(join(folder, file));
  }
}
