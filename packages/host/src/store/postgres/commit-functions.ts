import type { SchemaName } from "./schema-name.ts";

/**
 * J3, I1, B22: units are handed over as values, a list of words that is read step by step, and no word ever becomes SQL. What
 * the words are is said in unit-words.ts.
 */
export function commitFunctions({ quoted, name }: SchemaName): string {
  return `
  -- Takes the steps of one unit, until one conflicts: the place of that one is returned. A unit whose records are all there
  -- already was committed before: nothing of it is applied again.
  CREATE FUNCTION ${quoted}.apply_unit(
    holder_id integer, at_time double precision, words text[], first integer, last integer)
  RETURNS integer LANGUAGE plpgsql AS $body$
  #variable_conflict error
  DECLARE
    here integer := first;
    stream_id bigint;
    first_hash text;
    end_seq bigint;
    end_hash text;
    is_new boolean;
    has_new boolean;
  BEGIN
    WHILE here <= last LOOP
      CASE words[here]
      WHEN 'append' THEN
        SELECT s.id, s.genesis INTO stream_id, first_hash FROM ${quoted}.streams s
        WHERE s.name = words[here + 1] AND s.epoch = words[here + 2]::bigint AND s.holder = holder_id FOR UPDATE;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        -- A statement of its own: it sees what was committed while the stream was waited for.
        SELECT r.seq, r.hash INTO end_seq, end_hash FROM ${quoted}.records r
        WHERE r.stream = stream_id ORDER BY r.seq DESC LIMIT 1;
        IF NOT FOUND THEN
          end_seq := 0;
          end_hash := first_hash;
        END IF;
        here := here + 3;

      WHEN 'record' THEN
        is_new := words[here + 2]::bigint = end_seq + 1 AND words[here + 3] = end_hash;
        IF is_new THEN
          INSERT INTO ${quoted}.records AS r (stream, seq, hash, text)
          VALUES (stream_id, end_seq + 1, words[here + 4], words[here + 5]) RETURNING r.seq, r.hash INTO end_seq, end_hash;
          has_new := true;
        ELSE
          -- The same sealed record. Its content is not compared: it may have been erased since.
          PERFORM FROM ${quoted}.records r
          WHERE r.stream = stream_id AND r.seq = words[here + 2]::bigint
            AND r.hash = words[here + 4] AND r.text = words[here + 5]
            AND words[here + 3] = CASE r.seq WHEN 1 THEN first_hash ELSE (
              SELECT p.hash FROM ${quoted}.records p WHERE p.stream = stream_id AND p.seq = r.seq - 1) END;
          IF NOT FOUND THEN
            RETURN here;
          END IF;
        END IF;
        here := here + 6;

      WHEN 'content' THEN
        IF is_new THEN
          INSERT INTO ${quoted}.contents AS c (stream, seq, place, ref, salt, text)
          VALUES (stream_id, end_seq, words[here + 1]::integer, words[here + 2], words[here + 3], words[here + 4]);
        END IF;
        here := here + 5;

      WHEN 'rest' THEN
        IF has_new IS NULL THEN
          RETURN NULL;
        END IF;
        here := here + 1;

      WHEN 'make' THEN
        INSERT INTO ${quoted}.documents AS d (account, kind, id, status, body, revision)
        VALUES (words[here + 1], words[here + 2], words[here + 3], words[here + 4], words[here + 5], 1)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 6;

      WHEN 'keep' THEN
        INSERT INTO ${quoted}.documents AS d (account, kind, id, status, body, revision)
        VALUES (words[here + 1], words[here + 2], words[here + 3], words[here + 4], words[here + 5], 1)
        ON CONFLICT DO NOTHING;
        here := here + 6;

      WHEN 'change' THEN
        UPDATE ${quoted}.documents d SET status = words[here + 4], body = words[here + 5], revision = d.revision + 1
        WHERE d.account = words[here + 1] AND d.kind = words[here + 2] AND d.id = words[here + 3]
          AND d.revision = words[here + 6]::bigint;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 7;

      WHEN 'remove' THEN
        DELETE FROM ${quoted}.documents d
        WHERE d.account = words[here + 1] AND d.kind = words[here + 2] AND d.id = words[here + 3]
          AND d.revision = words[here + 4]::bigint;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 5;

      WHEN 'miss' THEN
        PERFORM FROM ${quoted}.documents d
        WHERE d.account = words[here + 1] AND d.kind = words[here + 2] AND d.id = words[here + 3];
        IF FOUND THEN
          RETURN here;
        END IF;
        here := here + 4;

      WHEN 'take' THEN
        INSERT INTO ${quoted}.claims AS c (account, scope, key, digest, ref, expires_at)
        VALUES (words[here + 1], words[here + 2], words[here + 3], words[here + 4], words[here + 5],
          words[here + 6]::double precision)
        ON CONFLICT (account, scope, key)
        DO UPDATE SET digest = excluded.digest, ref = excluded.ref, expires_at = excluded.expires_at
        WHERE c.expires_at <= at_time;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 7;

      WHEN 'update' THEN
        UPDATE ${quoted}.claims c SET ref = words[here + 5], expires_at = words[here + 6]::double precision
        WHERE c.account = words[here + 1] AND c.scope = words[here + 2] AND c.key = words[here + 3]
          AND c.digest = words[here + 4] AND c.expires_at > at_time;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 7;

      WHEN 'release' THEN
        DELETE FROM ${quoted}.claims c
        WHERE c.account = words[here + 1] AND c.scope = words[here + 2] AND c.key = words[here + 3]
          AND c.digest = words[here + 4] AND c.expires_at > at_time;
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 5;

      WHEN 'erase' THEN
        UPDATE ${quoted}.contents c SET salt = NULL, text = NULL
        FROM ${quoted}.streams s
        WHERE s.name = words[here + 1] AND s.account = words[here + 2]
          AND c.stream = s.id AND c.seq = words[here + 3]::bigint AND c.ref = words[here + 4];
        IF NOT FOUND THEN
          RETURN here;
        END IF;
        here := here + 5;

      WHEN 'free' THEN
        UPDATE ${quoted}.streams s SET holder = NULL
        WHERE s.name = words[here + 1] AND s.epoch = words[here + 2]::bigint AND s.holder = holder_id;
        here := here + 3;
      END CASE;
    END LOOP;
    RETURN NULL;
  END
  $body$;

  -- What stands where a step conflicted: the head of a stream, the revision of a document, a claim.
  CREATE FUNCTION ${quoted}.standing(at_time double precision, words text[], first integer, here integer)
  RETURNS json LANGUAGE plpgsql AS $body$
  #variable_conflict error
  BEGIN
    CASE words[here]
    WHEN 'record' THEN
      RETURN (
        SELECT json_build_object('seq', coalesce(e.seq, 0), 'hash', coalesce(e.hash, s.genesis))
        FROM ${quoted}.streams s LEFT JOIN LATERAL (
          SELECT r.seq, r.hash FROM ${quoted}.records r WHERE r.stream = s.id ORDER BY r.seq DESC LIMIT 1) e ON true
        WHERE s.name = words[first + words[here + 1]::integer]);
    WHEN 'make', 'change', 'remove', 'miss' THEN
      RETURN (
        SELECT to_json(d.revision) FROM ${quoted}.documents d
        WHERE d.account = words[here + 1] AND d.kind = words[here + 2] AND d.id = words[here + 3]);
    WHEN 'take', 'update', 'release' THEN
      RETURN (
        SELECT json_build_object('digest', c.digest, 'expiresAt', c.expires_at, 'ref', c.ref) FROM ${quoted}.claims c
        WHERE c.account = words[here + 1] AND c.scope = words[here + 2] AND c.key = words[here + 3]
          AND c.expires_at > at_time);
    ELSE
      RETURN NULL;
    END CASE;
  END
  $body$;

  -- Takes units one after the other, each all or nothing, and answers what conflicted: the number of the unit, the place of
  -- the step and what stands there. Nothing where everything was committed.
  CREATE FUNCTION ${quoted}.commit_units(holder_id integer, durability text, locks bigint[], words text[])
  RETURNS json LANGUAGE plpgsql AS $body$
  #variable_conflict error
  DECLARE
    here integer := 1;
    first integer;
    last integer;
    unit_number integer := 0;
    at_time double precision;
    conflict_at integer;
    conflicts json[];
    was_set text;
  BEGIN
    -- For this transaction alone. Off: it survives the end of any process, not a power cut of the server.
    IF durability = 'process' THEN
      was_set := set_config('synchronous_commit', 'off', true);
    ELSIF current_setting('synchronous_commit') = 'off' THEN
      was_set := set_config('synchronous_commit', 'on', true);
    END IF;
    -- In one order for everybody, before anything else is waited for: so nobody waits in a circle.
    IF locks <> '{}' THEN
      PERFORM pg_advisory_xact_lock(k) FROM unnest(locks) AS k;
    END IF;
    WHILE here <= cardinality(words) LOOP
      first := here + 4;
      last := here + words[here]::integer - 1;
      at_time := words[here + 2]::double precision;
      IF words[here + 1] = 'single' THEN
        conflict_at := ${quoted}.apply_unit(holder_id, at_time, words, first, last);
      ELSE
        BEGIN
          conflict_at := ${quoted}.apply_unit(holder_id, at_time, words, first, last);
          IF conflict_at IS NOT NULL THEN
            RAISE SQLSTATE 'SF001';
          END IF;
        EXCEPTION WHEN SQLSTATE 'SF001' THEN
          -- The steps before it are taken back.
        END;
      END IF;
      IF conflict_at IS NOT NULL THEN
        conflicts := array_append(conflicts, json_build_array(unit_number, conflict_at - here,
          ${quoted}.standing(at_time, words, here, conflict_at)));
      ELSIF words[here + 3] IS NOT NULL THEN
        PERFORM pg_notify('${name}', words[here + 3]);
      END IF;
      unit_number := unit_number + 1;
      here := last + 1;
    END LOOP;
    RETURN array_to_json(conflicts);
  END
  $body$;
  `;
}
