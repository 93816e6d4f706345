// Killed orders (X1, G1): a platform is killed again and again while armed orders fire, before and after each write of them. The next one goes
// on: no order is filled twice, and one whose call was interrupted before it sent anything is listed with that reason.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@spfunctions/host/store";
import { openInstallation } from "@spfunctions/kernel";
import { openPlatform } from "@spfunctions/server";
import { withPackages } from "../../tests/installed/start-installed.ts";
import { seededRandom } from "../crash-truth/seeded-random.ts";

export type KilledOrdersOptions = {
  readonly kills: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

export type KilledOrdersReport = {
  readonly kills: number;
  readonly killedAt: Readonly<Record<string, number>>;
  /** Orders by what has become of them. */
  readonly states: Readonly<Record<string, number>>;
  /** Why some were not filled. */
  readonly reasons: readonly string[];
  /** At the exchange. */
  readonly orders: number;
  readonly contracts: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

type Said = Omit<KilledOrdersReport, "kills" | "killedAt" | "broken"> & {
  readonly quantity: number;
  readonly journal: string;
};

/** Writes about orders in one life until it dies: from arming one to the end of its call, and into the next one. */
const maxWrites = 12;

export async function killedOrders({
  kills,
  seed,
  log = () => {},
}: KilledOrdersOptions): Promise<KilledOrdersReport> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-killed-"));
  const random = seededRandom(seed);
  const killedAt: Record<string, number> = {};
  const broken: string[] = [];
  try {
    const key = await makeKey(folder);
    let killed = 0;
    let life = 0;
    while (killed < kills && broken.length === 0) {
      const death = [random() < 0.5 ? "before" : "after", String(1 + Math.floor(random() * maxWrites))];
      // oxlint-disable-next-line no-await-in-loop -- one life after the other
      const { signal, errors } = await live([folder, String(life), key, ...death]);
      life += 10;
      if (signal !== "SIGKILL") {
        broken.push(`a program ended by itself: ${errors.slice(0, 2000)}`);
        break;
      }
      killed += 1;
      const at = `${death[0]} write ${death[1]}`;
      killedAt[at] = (killedAt[at] ?? 0) + 1;
      if (killed % 10 === 0) log(`${killed} of ${kills} deaths`);
    }
    const { said, errors } = await live([folder, String(life), key]);
    if (said === undefined) broken.push(`the last life says nothing: ${errors.slice(0, 2000)}`);
    else broken.push(...faultsIn(said));
    const { states = {}, reasons = [], orders = 0, contracts = 0 } = said ?? {};
    return { kills: killed, killedAt, states, reasons, orders, contracts, broken };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function faultsIn({ states, reasons, orders, contracts, quantity, journal }: Said): string[] {
  const { filled = 0, stopped: _, cancelled: __, ...others } = states;
  const broken: string[] = [];
  if (filled === 0) broken.push("no order was filled");
  if (Object.keys(others).length > 0) broken.push(`orders came to ${JSON.stringify(others)}`);
  broken.push(...reasons.filter((reason) => reason.endsWith(": no reason")));
  if (orders !== filled) broken.push(`${filled} orders are filled, and the exchange has ${orders}`);
  if (contracts !== filled * quantity)
    broken.push(`${filled} orders of ${quantity} are filled, and the exchange has sold ${contracts}`);
  if (journal !== "ok") broken.push(`the journal is ${journal}`);
  return broken;
}

async function makeKey(folder: string): Promise<string> {
  const store = await openSqliteStore({ folder });
  const installation = openInstallation(new Uint8Array(32).fill(7));
  const platform = await openPlatform({ store, installation });
  const { secret } = await platform.createKey("house", {
    scopes: ["read", "write", "trade"],
    trade: {
      allowedVenues: ["embedded"],
      maxOrderCostCents: 10_000,
      maxQuantity: 100,
      dryRunOnly: false,
      allowAutoExecute: true,
    },
  });
  await platform.close();
  await store.close();
  return secret;
}

async function live(args: readonly string[]): Promise<{
  readonly signal: unknown;
  readonly said: Said | undefined;
  readonly errors: string;
}> {
  const program = join(import.meta.dirname, "worker.ts");
  const child = spawn(
    process.execPath,
    [...withPackages, "--disable-warning=ExperimentalWarning", program, ...args],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let [out, errors] = ["", ""];
  child.stdout.on("data", (text) => (out += String(text)));
  child.stderr.on("data", (text) => (errors += String(text)));
  const [, signal] = await once(child, "close");
  const line = out.trim();
  return { signal, said: line === "" ? undefined : (JSON.parse(line) as Said), errors };
}
