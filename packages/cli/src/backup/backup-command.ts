import { resolve } from "node:path";
import { configFolderOf, isWithin, realPathOf } from "@spfunctions/host/installation";
import { backUpSqliteStore } from "@spfunctions/host/store";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { asWord } from "../io/as-word.ts";
import type { CliIo } from "../io/cli-io.ts";
import { whole } from "../io/printer.ts";
import { keepOutOfRepositories } from "../seat/keep-out-of-repositories.ts";
import { platformPlaceOf } from "../seat/store-place.ts";
import { sizeText } from "../trace/size-text.ts";

/** As they were given. */
export type BackupOptions = { readonly data?: string; readonly json?: true };

/** Copies a data folder, and says what else is to be kept: without it the copy opens for nobody. */
export async function backUp(
  named: string,
  { data, json }: BackupOptions,
  { io, print }: CommandContext,
): Promise<void> {
  const from = folderOf(data, io);
  const to = resolve(io.cwd, named);
  if (isWithin(realPathOf(to), realPathOf(from)))
    throw badUsage(`${named} lies in the data folder that it is to be a copy of; name a folder elsewhere`);
  const { bytes } = await backUpSqliteStore({ folder: from, to });
  keepOutOfRepositories(to);
  const alsoKeep = io.env.SF_INSTALLATION_KEY === undefined ? configFolderOf(io.env) : "SF_INSTALLATION_KEY";
  if (json === true) return print.json({ ok: true, from, to, bytes, alsoKeep }, 2);
  print.out(`${to}: a copy of ${from} as it is now, ${sizeText(bytes)}`);
  print.out(whole(`  to look at it: sf trace verify --data ${asWord(to)}`));
  print.out(
    alsoKeep === "SF_INSTALLATION_KEY"
      ? "  keep what is in SF_INSTALLATION_KEY, too: only with it the copy is opened again"
      : `  keep ${alsoKeep}, too, and apart: the secret is there with which alone the copy is opened again, and the keys`,
  );
}

function folderOf(data: string | undefined, io: CliIo): string {
  const place = platformPlaceOf({ data }, io);
  if (place.type === "folder") return place.folder;
  throw badUsage(
    `everything is kept in ${place.called}, which PostgreSQL's own programs back up: pg_dump --schema=${place.schema}; for a folder there is --data`,
  );
}
