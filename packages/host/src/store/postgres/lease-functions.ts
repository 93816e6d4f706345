import type { SchemaName } from "./schema-name.ts";

/**
 * J3: who holds a stream. A holder lives as long as its session has its lock and its row has not expired; the server drops
 * the lock with the connection, and the clock is the server's.
 */
export function leaseFunctions({ quoted, lockClass }: SchemaName): string {
  return `
  -- Makes the connection that asks the session of a holder, of a new one where none is given.
  CREATE FUNCTION ${quoted}.begin_session(given_holder integer, lease_ms double precision,
    OUT holder_id integer, OUT session_id integer)
  LANGUAGE plpgsql AS $body$
  #variable_conflict error
  BEGIN
    session_id := nextval('${quoted}.sessions');
    holder_id := coalesce(given_holder, session_id);
    -- Nobody else can have it: the number is new. So a connection that is lost and not yet ended is never waited for.
    PERFORM pg_advisory_lock(${lockClass}, session_id);
    PERFORM ${quoted}.renew_session(holder_id, session_id, lease_ms);
    -- Those that were killed. Should one have hung instead, it comes back with its next renewal.
    DELETE FROM ${quoted}.holders h WHERE h.id IN (
      SELECT o.id FROM ${quoted}.holders o
      WHERE o.expires_at < clock_timestamp() - make_interval(hours => 1) FOR UPDATE SKIP LOCKED);
  END
  $body$;

  -- Makes the row anew where others have removed it.
  CREATE FUNCTION ${quoted}.renew_session(holder_id integer, session_id integer, lease_ms double precision)
  RETURNS void LANGUAGE plpgsql AS $body$
  #variable_conflict error
  DECLARE
    until timestamptz := clock_timestamp() + make_interval(secs => lease_ms / 1000);
  BEGIN
    INSERT INTO ${quoted}.holders AS h (id, session, expires_at) VALUES (holder_id, session_id, until)
    ON CONFLICT (id) DO UPDATE SET session = excluded.session, expires_at = excluded.expires_at;
  END
  $body$;

  CREATE FUNCTION ${quoted}.is_alive(holder_id integer)
  RETURNS boolean LANGUAGE plpgsql AS $body$
  #variable_conflict error
  DECLARE
    session_id integer;
  BEGIN
    SELECT h.session INTO session_id FROM ${quoted}.holders h
    WHERE h.id = holder_id AND h.expires_at > clock_timestamp();
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    -- Shared, so that two who ask at once are not taken for the holder by each other.
    RETURN NOT pg_try_advisory_xact_lock_shared(${lockClass}, session_id);
  END
  $body$;

  -- The stream under its next epoch, and where it ends; no row where somebody has it, or another account. The epoch is the one
  -- under which the holder knows that it has the stream, 0 for none.
  CREATE FUNCTION ${quoted}.lease_stream(
    holder_id integer, own_epoch bigint, stream_name text, stream_account text, first_hash text)
  RETURNS TABLE (next_epoch bigint, head_seq bigint, head_hash text) LANGUAGE plpgsql AS $body$
  #variable_conflict error
  DECLARE
    found_stream ${quoted}.streams;
  BEGIN
    INSERT INTO ${quoted}.streams AS s (name, account, genesis, epoch)
    VALUES (stream_name, stream_account, first_hash, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO found_stream FROM ${quoted}.streams s
    WHERE s.name = stream_name AND s.account = stream_account FOR UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    IF found_stream.holder = holder_id THEN
      IF found_stream.epoch = own_epoch THEN
        RETURN;
      END IF;
    ELSIF ${quoted}.is_alive(found_stream.holder) THEN
      RETURN;
    END IF;
    UPDATE ${quoted}.streams s SET epoch = s.epoch + 1, holder = holder_id WHERE s.id = found_stream.id;
    next_epoch := found_stream.epoch + 1;
    SELECT r.seq, r.hash INTO head_seq, head_hash FROM ${quoted}.records r
    WHERE r.stream = found_stream.id ORDER BY r.seq DESC LIMIT 1;
    IF NOT FOUND THEN
      head_seq := 0;
      head_hash := found_stream.genesis;
    END IF;
    RETURN NEXT;
  END
  $body$;
  `;
}
