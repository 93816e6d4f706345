import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InvalidPackageError, redact } from "@spfunctions/contracts";
import { placeOfFault } from "./place-of-fault.ts";

/** A module by its path or by the name of its package, as seen from `cwd`. TypeScript runs as it is. `called`: what it is wanted as. */
export async function importModule(
  name: string,
  cwd: string,
  called = "pack",
): Promise<Readonly<Record<string, unknown>>> {
  const what = `${called} ${name}`;
  const address = addressOf(name, cwd, what);
  try {
    return (await import(address)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    const cause = redact(thrown);
    const why = cause instanceof Error ? cause.message : "it threw something that is no error";
    const imported = { module: address, importer: import.meta.url, cwd };
    // What is not found is told with who wanted it; the stack is of whatever looked for it.
    const place =
      cause instanceof Error && !isNotFound(thrown) ? placeOfFault(cause.stack ?? "", imported) : undefined;
    const where = place === undefined ? "" : `${place}: `;
    throw invalid(what, `it cannot be loaded: ${where}${why}${howToLink(thrown)}`, cause);
  }
}

function isNotFound(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND";
}

/** One of our packages that the module does not find, this program does: that one is linked. */
function howToLink(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message : "";
  const [, missing] = /^Cannot find package '(@spfunctions\/[\w-]+)'/.exec(said) ?? [];
  if (missing === undefined) return "";
  try {
    const folder = dirname(fileURLToPath(import.meta.resolve(`${missing}/package.json`)));
    return `; npm install ${realpathSync(folder)} in the folder of the module links it (docs/your-project.md)`;
  } catch {
    // There is none of this name here either.
    return "";
  }
}

function addressOf(name: string, cwd: string, what: string): string {
  const path = name.startsWith("file:") ? fileURLToPath(name) : resolve(cwd, name);
  const found = statSync(path, { throwIfNoEntry: false });
  // A folder can have the name of a package.
  if (found?.isFile() === true) return pathToFileURL(path).href;
  if (/^(?:\.{0,2}\/|file:)/.test(name))
    throw invalid(
      what,
      found === undefined ? "there is no such file" : "it is no file; name the module in it",
    );
  try {
    return pathToFileURL(createRequire(join(cwd, "package.json")).resolve(name)).href;
  } catch (error) {
    // A package that can only be imported: then from here, as that is all Node offers.
    if ((error as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return name;
    throw invalid(what, "there is no such file here, and no such package");
  }
}

function invalid(what: string, why: string, cause?: unknown): InvalidPackageError {
  return new InvalidPackageError(`${what}: ${why}`, { details: { reason: "not_loaded" }, cause });
}
