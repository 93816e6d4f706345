/**
 * How long a process that hangs still holds what it drives; one that is known to have died holds nothing.
 * @limit store.leaseMs | another process may take it over | `leaseMs` of `openSqliteStore` and `openPostgresStore`
 */
export const defaultLeaseMs = 15_000;

/**
 * How often a process that drives says that it is there.
 * @limit store.renewMs | the lease is renewed | `renewMs` of `openSqliteStore` and `openPostgresStore`
 */
export const defaultRenewMs = 5_000;
