// Which key a secret belongs to. What is not a good key is nothing: nobody learns whether it was one.
import { hashText } from "@spfunctions/contracts";
import {
  type Clock,
  type Installation,
  installationAccount,
  readKept,
  type Store,
} from "@spfunctions/kernel";
import {
  isLive,
  isSame,
  keyLeadSchema,
  type KeyRecord,
  keyKind,
  keySecretKind,
  readKeyRecord,
} from "./key-record.ts";

export type FoundKey = { readonly record: KeyRecord; readonly revision: number };

type Remembered = {
  readonly found: FoundKey;
  readonly hash: string;
  readonly goodUntil: number;
  readonly at: number;
};

/** How many keys are remembered at once. */
const mostRemembered = 10_000;

export class KeyRing {
  readonly #store: Store;
  readonly #installation: Installation;
  readonly #clock: Clock;
  readonly #rememberMs: number;
  /** By the hash of a secret: the secret itself is not kept. */
  readonly #bySecret = new Map<string, Remembered>();
  /** How often keys have changed here: what was read before a change is not remembered after it. */
  #changes = 0;

  /** `rememberMs`: how long another process's change may go unseen here; this process's own are seen at once. */
  constructor(
    { store, installation, clock }: { store: Store; installation: Installation; clock: Clock },
    rememberMs: number,
  ) {
    this.#store = store;
    this.#installation = installation;
    this.#clock = clock;
    this.#rememberMs = rememberMs;
  }

  /** The key with this secret, where it is good now. */
  async find(secret: string): Promise<FoundKey | undefined> {
    // Not the keyed hash, which costs more than the rest of what is done for a key that is remembered.
    const name = hashText(secret);
    const known = this.#bySecret.get(name);
    if (known !== undefined && this.#clock.elapsed() - known.at < this.#rememberMs)
      return this.#clock.now() < known.goodUntil ? known.found : undefined;
    const hash = known?.hash ?? this.#installation.keyHash(secret);
    const changes = this.#changes;
    const found = await this.#read(hash);
    const isUnchanged = found !== undefined && found.revision === known?.found.revision;
    this.#bySecret.delete(name);
    if (found === undefined) return undefined;
    const goodUntil = endOf(found.record, hash);
    if (this.#clock.now() >= goodUntil) return undefined;
    const one = { found: isUnchanged ? known.found : found, hash, goodUntil, at: this.#clock.elapsed() };
    if (changes === this.#changes) this.#remember(name, one);
    return one.found;
  }

  /** Another number after each change of this process's own. */
  get changes(): number {
    return this.#changes;
  }

  /** A key by its name, where it is good now. */
  async byId(accountId: string, keyId: string): Promise<FoundKey | undefined> {
    const document = await this.#store.document({ kind: keyKind, accountId, id: keyId });
    if (document === undefined) return undefined;
    const record = readKeyRecord(document, this.#installation.keyHash);
    return isLive(record, this.#clock.now()) ? { record, revision: document.revision } : undefined;
  }

  /** After keys of an account have changed. */
  forget(accountId: string): void {
    this.#changes++;
    for (const [name, { found }] of this.#bySecret)
      if (found.record.accountId === accountId) this.#bySecret.delete(name);
  }

  async #read(hash: string): Promise<FoundKey | undefined> {
    const lead = await this.#store.document({
      kind: keySecretKind,
      accountId: installationAccount,
      id: hash,
    });
    if (lead === undefined) return undefined;
    const { accountId, keyId } = readKept(keyLeadSchema, lead.body, "what leads to a key");
    return await this.byId(accountId, keyId);
  }

  #remember(name: string, one: Remembered): void {
    const [oldest] = this.#bySecret.keys();
    if (this.#bySecret.size >= mostRemembered && oldest !== undefined) this.#bySecret.delete(oldest);
    this.#bySecret.set(name, one);
  }
}

/** Until when a secret of a live key is good. */
function endOf({ secrets, expiresAt }: KeyRecord, hash: string): number {
  const secret = secrets.find((one) => isSame(one.hash, hash));
  if (secret === undefined) return Number.NEGATIVE_INFINITY;
  const ends = [secret.validUntil, expiresAt].map((end) =>
    end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
  );
  return Math.min(...ends);
}
