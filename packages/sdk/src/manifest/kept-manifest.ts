import type { ContractManifest } from "@spfunctions/contracts";
import type { Answer } from "../call/answering.ts";
import type { Limits } from "../options/limits.ts";
import type { Connection } from "../wire/connection.ts";
import { Deadline } from "../wire/deadline.ts";
import { deliver } from "../wire/deliver.ts";
import type { Exchange, Outcome } from "../wire/outcome.ts";
import { readDocument } from "./documents.ts";

const name = "manifest.list";
const path = "/api/contracts/tools";

type Kept = { readonly manifest: ContractManifest; readonly etag: string };

/** The platform's manifest, fetched when it is first needed; asked for again, it only travels if it has changed. */
export class KeptManifest {
  readonly #connection: Connection;
  readonly #limits: Limits;
  #kept: Kept | undefined;
  #loading: Promise<ContractManifest> | undefined;

  constructor(connection: Connection, limits: Limits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** What was fetched last, if anything was. */
  get kept(): ContractManifest | undefined {
    return this.#kept?.manifest;
  }

  /** The manifest of now. Everybody who asks at the same time waits for the same request, and none can end it for the others. */
  load(): Promise<ContractManifest> {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #fetch(): Promise<ContractManifest> {
    const kept = this.#kept;
    const headers = {
      accept: "application/json",
      ...(kept === undefined ? {} : { "if-none-match": kept.etag }),
    };
    const request = { method: "GET", path, headers, withKey: false };
    const read = (exchange: Exchange) => readManifest(exchange, kept);
    const deadline = new Deadline(this.#limits.timing, this.#limits.timeoutMs, undefined);
    try {
      const errand = { name, request, isRepeatable: true, read };
      const { manifest, etag } = await deliver(this.#connection, this.#limits, errand, deadline);
      this.#kept = etag === null ? undefined : { manifest, etag };
      return manifest;
    } finally {
      deadline.close();
    }
  }
}

type Read = { readonly manifest: ContractManifest; readonly etag: string | null };

function readManifest(exchange: Exchange, kept: Kept | undefined): Outcome<Read> {
  if (exchange.status === 304 && kept !== undefined) return { type: "answered", value: kept };
  const outcome = readDocument(name, exchange) as Outcome<Answer<ContractManifest>>;
  if (outcome.type === "failed") return outcome;
  return { type: "answered", value: { manifest: outcome.value.data, etag: exchange.headers.get("etag") } };
}
