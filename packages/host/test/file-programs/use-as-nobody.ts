// Uses the file tools as a user without rights, and says what came of it.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { openFileSandbox } from "../../src/tools/files/fs-tools.ts";
import { listFolder } from "../../src/tools/files/list-folder.ts";
import { readText } from "../../src/tools/files/read-text.ts";
import { writeText } from "../../src/tools/files/write-text.ts";

const [root = ""] = process.argv.slice(2);
process.setgroups?.([]);
process.setgid?.(65_534);
process.setuid?.(65_534);
const sandbox = openFileSandbox({ root });
const { signal } = new AbortController();

async function told(work: Promise<object>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    return `${error.code} ${error.details?.reason}`;
  }
}

const read = (path: string) => told(readText(sandbox, { path, max_bytes: 100 }, signal));
const list = (path: string) => told(listFolder(sandbox, { path, max_entries: 10 }, signal));
const write = (path: string, overwrite = false) =>
  told(writeText(sandbox, { path, text: "new", overwrite }, { signal, effectId: "eff_1" }));

process.send?.({
  readOpen: await read("open/file"),
  readClosed: await read("open/closed"),
  readInClosed: await read("closed/file"),
  readThroughPassage: await read("passage/file"),
  listPassage: await list("passage"),
  listUnsearchable: await list("unsearchable"),
  listClosed: await list("closed"),
  writeOpen: await write("open/new/file"),
  writeForeign: await write("open/foreign", true),
  writeReadOnly: await write("foreign/file"),
  writeThere: await write("open/own", true),
  writeOfOthers: await write("open/of-others", true),
  writeOfSome: await write("open/of-some", true),
});
process.disconnect?.();
