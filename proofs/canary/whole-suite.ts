// S1, B34 over everything: the whole suite runs with a key in its environment, and nothing that it writes is thrown away. Then
// every byte is searched: for that key in many forms, and for every key and browser token that any test has had made.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  createWriteStream,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findForms } from "./find-forms.ts";

const root = join(import.meta.dirname, "../..");
const madeKey = /sf_live_[\w-]{32}(?![\w-])/g;
const madeToken = /eyJ[\w-]{10,}\.eyJ[\w-]{20,}\.[\w-]{43}(?![\w-])/g;

export type CanaryReport = {
  readonly suitePassed: boolean;
  readonly filesSearched: number;
  readonly bytesSearched: number;
  /** Keys in files that are there to keep them: that the search sees keys at all. */
  readonly keysInKeyFiles: number;
  readonly found: readonly string[];
};

export async function canaryOverSuite(log: (text: string) => void): Promise<CanaryReport> {
  const folder = mkdtempSync(join(tmpdir(), "sf-canary-suite-"));
  // Tests start programs as other users, who go through here.
  chmodSync(folder, 0o711);
  const key = `sf_live_${randomBytes(24).toString("base64url")}`;
  const suitePassed = await runSuite(folder, key, log);
  const known = inSources();
  const found: string[] = [];
  const keysInKeyFiles = new Set<string>();
  let bytesSearched = 0;
  const files = filesIn(folder);
  for (const file of files) {
    const text = read(file);
    bytesSearched += text.length;
    const secrets = secretsIn(text).filter((secret) => !known.has(secret));
    if (basename(file).endsWith(".key")) for (const secret of secrets) keysInKeyFiles.add(secret);
    else found.push(...secrets.map((secret) => `${file.slice(folder.length)}: ${secret}`));
    found.push(...findForms(text, key).map((form) => `${file.slice(folder.length)}: SF_API_KEY, ${form}`));
  }
  if (found.length === 0) rmSync(folder, { recursive: true, force: true });
  else log(`what was searched is kept in ${folder}\n`);
  return {
    suitePassed,
    filesSearched: files.length,
    bytesSearched,
    keysInKeyFiles: keysInKeyFiles.size,
    found,
  };
}

async function runSuite(folder: string, key: string, log: (text: string) => void): Promise<boolean> {
  const [home, temporary, kept] = ["home", "tmp", "kept"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [home, temporary, kept]) mkdirSync(each);
  for (const each of [temporary, kept]) chmodSync(each, 0o1777);
  const said = createWriteStream(join(folder, "said"));
  const suite = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run"], {
    cwd: root,
    env: {
      ...process.env,
      HOME: home,
      TMPDIR: temporary,
      SF_API_KEY: key,
      SF_CANARY_KEPT: kept,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "keep-removed.ts")} --disable-warning=ExperimentalWarning`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [suite.stdout, suite.stderr])
    stream.on("data", (bytes: Buffer) => {
      said.write(bytes);
      log(bytes.toString());
    });
  const [code] = (await once(suite, "close")) as [number | null];
  said.end();
  await once(said, "finish");
  return code === 0;
}

/** What stands in our own sources is nobody's secret. */
function inSources(): ReadonlySet<string> {
  const sources = ["packages", "tests", "proofs", "docs", "examples"].flatMap((name) =>
    filesIn(join(root, name)).filter((file) => /\.(?:ts|md)$/.test(file) && !file.includes("/node_modules/")),
  );
  return new Set(sources.flatMap((file) => secretsIn(read(file))));
}

function secretsIn(text: string): string[] {
  const keys = text.match(madeKey) ?? [];
  return [...keys.filter(isRandom), ...(text.match(madeToken) ?? [])];
}

/** Of 32 random characters some 25 differ; in what a test has made up for a key, far fewer do. */
function isRandom(key: string): boolean {
  return new Set(key).size > 16;
}

/**
 * Folder by folder: with `recursive`, Node goes after links, and tests leave some that lead out of here. A character of a path
 * is a byte: tests leave names that are no UTF-8, too.
 */
function filesIn(folder: string): string[] {
  return readdirSync(Buffer.from(folder, "latin1"), { withFileTypes: true, encoding: "latin1" }).flatMap(
    (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return entry.isFile() ? [path] : [];
    },
  );
}

/** Of what is too large for a text, from its start as much as the disk holds of it: a test leaves a terabyte of nothing. */
function read(path: string): string {
  const file = openSync(Buffer.from(path, "latin1"), "r");
  try {
    const { size, blocks } = fstatSync(file);
    const bytes = Buffer.alloc(size < 2 ** 29 ? size : Math.min(size, blocks * 512));
    return bytes.toString("latin1", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
