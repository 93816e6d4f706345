// Reads one file by the file tools and says what they say.
import { openFileSandbox } from "../../src/tools/files/fs-tools.ts";
import { readText } from "../../src/tools/files/read-text.ts";

const [root = "", path = ""] = process.argv.slice(2);
const { signal } = new AbortController();
console.log(JSON.stringify(await readText(openFileSandbox({ root }), { path, max_bytes: 100 }, signal)));
