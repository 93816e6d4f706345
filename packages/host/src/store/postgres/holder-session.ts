// J3: the connection by which an opened store shows that it lives, and hears of others. While it is lost the streams can be
// taken over. The epochs decide what the store may write; but what it writes begins effects, and so it writes records only while
// nobody can take over for a while.
import { setTimeout as pause } from "node:timers/promises";
import type { Listeners } from "@spfunctions/kernel";
import { type BeginTerms, beginSession, momentNow, type Session } from "./begin-session.ts";
import { isSharedSessions, requireOwnSessions } from "./require-own-sessions.ts";
import { Sockets } from "./sockets.ts";
import { NotSent } from "./postgres-faults.ts";
import type { LivingSession } from "./stream-leases.ts";
import { noteIn } from "./wake-note.ts";

export type SessionTerms = BeginTerms & {
  /** Which database it is, for people. */
  readonly place: string;
  readonly renewMs: number;
  readonly listeners: Listeners;
};

const shortestPauseMs = 50;
/** Shorter than others wait before they take over what this store drives. */
const longestPauseMs = 1_000;
/** Others that lost their session with this one have regained theirs by then. */
const othersRegainMs = 3 * longestPauseMs;
/** How long a commit waits for a session that is lost. */
const maxRegainMs = 2_000;
/** The share of a lease after which a commit renews it first. A tool starts within a third of the lease after its intent was sent. */
const staleShare = 1 / 2;
const maxRenewals = 3;

export class HolderSession {
  /** The number by which this opened store holds streams, for as long as it is open. */
  readonly holder: number;
  readonly #terms: SessionTerms;
  readonly #sockets: Sockets;
  readonly #renewal: NodeJS.Timeout;
  readonly #closing = new AbortController();
  readonly #life: Promise<void>;
  /** Nothing while it is lost. */
  #session: Session | undefined;
  #fault: Error | undefined;
  #renewing: Promise<void> | undefined;
  #regainedAt = Number.NEGATIVE_INFINITY;
  /** Resolves when there is a session. */
  #arrival = Promise.withResolvers<void>();

  static async open(terms: SessionTerms): Promise<HolderSession> {
    const sockets = new Sockets();
    return new HolderSession(terms, sockets, await beginSession(terms, sockets, null));
  }

  private constructor(terms: SessionTerms, sockets: Sockets, session: Session) {
    this.#terms = terms;
    this.#sockets = sockets;
    this.holder = session.holder;
    this.#life = this.#live(session);
    this.#renewal = setInterval(() => void this.#renew(), terms.renewMs).unref();
  }

  /** Why it is not regained, where only a person can change that. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /**
   * Whether a holder that seems to have died is to be believed dead: not while this session is lost or was only just regained, because
   * the server was away for everybody then.
   */
  get canTellTheDead(): boolean {
    return this.#session !== undefined && performance.now() - this.#regainedAt > othersRegainMs;
  }

  get leaseMs(): number {
    return this.#terms.leaseMs;
  }

  /** The session by which this store lives. Throws while it is lost. */
  get current(): LivingSession {
    if (this.#session === undefined)
      throw new NotSent("the session of this store is lost and not regained yet");
    return { id: this.#session.id, leaseMs: this.#terms.leaseMs };
  }

  /**
   * Returns once nobody can take over what this store holds for half of its lease. A process that stood still renews its lease before it
   * writes a record: otherwise another could take over between an intent and the start of its tool.
   */
  async requireLease(): Promise<void> {
    for (let tries = 0; !this.#isFresh(); tries++) {
      if (tries === maxRenewals)
        throw new NotSent("the server took too long to renew the lease of this store");
      const renewing = this.#renew();
      if (renewing === undefined) {
        // oxlint-disable-next-line no-await-in-loop -- until there is a session
        await Promise.race([this.#arrival.promise, pause(maxRegainMs, undefined, { ref: false })]);
        if (this.#session === undefined) throw new NotSent("the session of this store is lost");
      } else {
        // oxlint-disable-next-line no-await-in-loop -- again if its answer came too late
        await renewing;
      }
    }
  }

  /** By both clocks: one may stand still while the machine sleeps, the other may be set. */
  #isFresh(): boolean {
    if (this.#session === undefined) return false;
    const { now, elapsed } = this.#session.aliveAt;
    const sinceMs = Math.max(Date.now() - now, performance.now() - elapsed);
    return sinceMs <= this.#terms.leaseMs * staleShare;
  }

  /** Ends the connection, and with it the holder's life. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#renewal);
    if (this.#session === undefined) this.#sockets.cut();
    await this.#sockets.end(async () => {
      // One that the server takes later would make the row anew.
      await this.#renewing;
      await this.#session?.client.end();
      await this.#life;
    });
  }

  /** One connection after the other. */
  async #live(first: Session): Promise<void> {
    let session: Session | undefined = first;
    while (session !== undefined) {
      // oxlint-disable-next-line no-await-in-loop
      await this.#use(session);
      // oxlint-disable-next-line no-await-in-loop
      session = await this.#regain();
      if (session === undefined) return;
      this.#regainedAt = performance.now();
      this.#terms.listeners.tell([undefined]);
    }
  }

  /** Returns when it is lost. */
  async #use(session: Session): Promise<void> {
    const { client } = session;
    this.#session = session;
    this.#arrival.resolve();
    client.on("notification", ({ payload = "" }) => {
      const { holder, wakes } = noteIn(payload);
      // Of its own the store has told already.
      if (holder !== this.holder) this.#terms.listeners.tell(wakes);
    });
    await new Promise((resolve) => client.once("end", resolve));
    this.#arrival = Promise.withResolvers();
    this.#session = undefined;
  }

  async #regain(): Promise<Session | undefined> {
    const { signal } = this.#closing;
    for (let wait = shortestPauseMs; !signal.aborted; wait = Math.min(wait * 2, longestPauseMs)) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the way may lead through a pooler that was set up otherwise meanwhile
        await requireOwnSessions(this.#terms.config, this.#terms.place);
        // oxlint-disable-next-line no-await-in-loop
        const session = await beginSession(this.#terms, this.#sockets, this.holder);
        this.#fault = undefined;
        if (!signal.aborted) return session;
        // oxlint-disable-next-line no-await-in-loop
        await session.client.end();
      } catch (error) {
        // Otherwise the server is not there yet.
        this.#fault = isSharedSessions(error) ? error : undefined;
      }
      // oxlint-disable-next-line no-await-in-loop
      await pause(wait, undefined, { ref: false, signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** Renews the lease; undefined while there is no session. */
  #renew(): Promise<void> | undefined {
    const session = this.#session;
    if (session === undefined) return undefined;
    this.#renewing ??= this.#renewOnce(session).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(session: Session): Promise<void> {
    const aliveAt = momentNow();
    const isOurs = await this.#isStillOurs(session).catch(() => false);
    if (session.client !== this.#session?.client) return;
    if (isOurs) this.#session = { ...session, aliveAt };
    // A connection that does not answer is none.
    else this.#sockets.cut();
  }

  /** Where another process of the server answers, a pooler has given the session away, and the lock with it. */
  async #isStillOurs({ client, id, pid }: Session): Promise<boolean> {
    const { schema, leaseMs } = this.#terms;
    const { rows } = await client.query<{ pid: string }>(
      `SELECT ${schema.quoted}.renew_session($1, $2, $3), pg_backend_pid() AS pid`,
      [this.holder, id, leaseMs],
    );
    return rows[0]?.pid === pid;
  }
}
