import { isSimpleFunctionsError } from "@spfunctions/contracts";
import {
  belongsToAnother,
  configFolderOf,
  knownSigners,
  loadInstallation,
} from "@spfunctions/host/installation";
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import { type Check, fail, failed, ok } from "./check.ts";
import { hindranceTo } from "./hindrance-to.ts";
import { modeOf, secretFileCheck } from "./secret-file-check.ts";

/** The configuration folder, and the secrets in it: that they are there and closed, never what they are. */
export function configChecks({ env }: Pick<CliIo, "env">): Check[] {
  const folder = configFolderOf(env);
  return [
    folderCheck(folder),
    installationCheck(env),
    ...keyFileChecks(join(folder, "keys")),
    signersCheck(folder),
  ];
}

function folderCheck(folder: string): Check {
  const about = { check: "configuration", where: folder };
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    const hindrance = found === undefined ? hindranceTo(folder) : undefined;
    if (hindrance !== undefined)
      return fail(about, hindrance, "name a folder that can be written to in XDG_CONFIG_HOME");
    if (found === undefined) return ok(about, "is not there yet; what needs it makes it");
    if (!found.isDirectory()) return fail(about, "is not a folder", "move it away");
    if (belongsToAnother(found))
      return fail(about, `belongs to another user (${found.uid})`, "make it yours with chown");
    const isOpen = process.platform !== "win32" && (found.mode & 0o022) !== 0;
    if (isOpen)
      return fail(
        about,
        `others can write to it (mode ${modeOf(found)})`,
        `look at what is in it, then chmod 700 ${folder}`,
      );
    return ok(about, `is there (mode ${modeOf(found)})`);
  } catch (error) {
    return failed(about, error, "make it readable for its owner");
  }
}

/** The public half is for everybody: with it receipts and seals of this installation are checked. */
function installationCheck(env: CliIo["env"]): Check {
  const check = "installation";
  try {
    const { installation, source, path } = loadInstallation({ env, create: false });
    const { keyId, publicKey } = installation.signer;
    const about = { check, facts: { source, keyId, publicKey }, ...(path !== undefined && { where: path }) };
    const signs = `it signs as ${keyId}, public key ${publicKey}`;
    if (path === undefined) return ok(about, `its secret is in SF_INSTALLATION_KEY; ${signs}`);
    const file = secretFileCheck(check, path);
    return { ...file, ...about, what: `its secret's file ${file.what}; ${signs}` };
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.details?.reason === "no_installation_secret")
      return ok(
        { check, where: String(error.details.where) },
        "has no secret yet; the first sf up, sf agent or sf call makes one",
      );
    return failed({ check }, error);
  }
}

/** As many as are worth a line each. */
const mostLines = 20;

function keyFileChecks(folder: string): Check[] {
  const about = { check: "key files", where: folder };
  try {
    const paths = keyFilesIn(folder);
    const bad = paths
      .map((path) => secretFileCheck("key file", path))
      .filter(({ status }) => status !== "ok");
    if (bad.length > 0) {
      const rest = bad.slice(mostLines);
      if (rest.length === 0) return bad;
      return [
        ...bad.slice(0, mostLines),
        fail(about, `${rest.length} more of ${paths.length} are not as they should be`, "mend these first"),
      ];
    }
    const count = paths.length === 1 ? "1 key file" : `${paths.length} key files`;
    return [
      ok(
        { ...about, facts: { count: paths.length } },
        paths.length === 0 ? "there are none yet" : `${count}, for their owner alone`,
      ),
    ];
  } catch (error) {
    return [failed(about, error, "make it readable for its owner")];
  }
}

/** Those that `sf keys` made, and beneath, by data folder, the first ones of each. */
function keyFilesIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.endsWith(".key")) return [path];
    if (!entry.isDirectory()) return [];
    return entriesOf(path).flatMap(({ name }) => (name.endsWith(".key") ? [join(path, name)] : []));
  });
}

function entriesOf(folder: string): Dirent[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { withFileTypes: true });
}

function signersCheck(folder: string): Check {
  const check = "signers";
  try {
    const keyIds = knownSigners(folder).map(({ keyId }) => keyId);
    return ok(
      { check, facts: { keyIds } },
      keyIds.length === 0 ? "none is pinned" : `pinned: ${keyIds.join(", ")}`,
    );
  } catch (error) {
    return failed({ check }, error);
  }
}
