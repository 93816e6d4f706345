import { expect, test } from "vitest";
import { isBadUsage } from "../command-line/bad-usage.ts";
import { agentPlaceOf, databasePlace, platformPlaceOf, storePlaceOf } from "./store-place.ts";

const io = (env: Record<string, string> = {}) => ({ env: { HOME: "/home/me", ...env }, cwd: "/srv" });
const url = "postgres://me:s3cret-word-of-mine@db.example:5433/house";

test("a store that is named comes before a folder that is named, and both before what the environment says", () => {
  const env = { SF_STORE: "postgres://env/house", SF_DATA: "/srv/data" };
  const called = [
    storePlaceOf({ store: url }, io(env)),
    storePlaceOf({ data: "here" }, io(env)),
    storePlaceOf({}, io(env)),
    storePlaceOf({}, io({ SF_DATA: "/srv/data", SF_STORE: "" })),
    platformPlaceOf({}, io(env)),
    platformPlaceOf({}, io()),
  ].map((place) => place.called);
  expect(called).toStrictEqual([
    "postgres://db.example:5433/house",
    "/srv/here",
    "postgres://env/house",
    "/srv/data",
    "postgres://env/house",
    "/srv/.sf",
  ]);
});

test("the agent's side stays in a folder of its own unless told, and in a database in a schema of its own", () => {
  expect(agentPlaceOf({}, io({ SF_STORE: url })).called).toBe("/home/me/.local/share/simplefunctions/agent");
  expect(agentPlaceOf({ store: "postgres://env/house" }, io())).toStrictEqual({
    type: "database",
    url: "postgres://env/house",
    schema: "simplefunctions_agent",
    called: "postgres://env/house",
    word: "'postgres://env/house?schema=simplefunctions_agent'",
  });
});

test("S1: what is shown of a connection string has no user, no password, and nothing else that was not asked for", () => {
  const shown = [
    url,
    "postgres://me@/house?host=/run/postgres&port=5433&password=s3cret-word-of-mine&sslkey=/keys/a",
    "postgresql://me:s3cret-word-of-mine@[::1]/house?sslmode=verify-full&schema=mine",
  ].map((text) => databasePlace(text, "simplefunctions").called);
  expect(shown).toStrictEqual([
    "postgres://db.example:5433/house",
    "postgres:///house?host=/run/postgres&port=5433",
    "postgresql://[::1]/house?schema=mine",
  ]);
});

test("the schema is taken out of what PostgreSQL is given, and everything else left as it was written", () => {
  const given = [
    "postgres://me:a%2Fb@h/d?schema=mine&sslmode=disable",
    "postgres://me:a%2Fb@h/d?sslmode=disable&schema=mine",
    "postgres://me:a%2Fb@h/d?schema=mine",
  ];
  expect(given.map((text) => databasePlace(text, "s"))).toMatchObject([
    { url: "postgres://me:a%2Fb@h/d?sslmode=disable", schema: "mine" },
    { url: "postgres://me:a%2Fb@h/d?sslmode=disable", schema: "mine" },
    { url: "postgres://me:a%2Fb@h/d", schema: "mine" },
  ]);
});

test("S1: an address can be pasted where nothing in it is to be hidden; else the variable that is to hold it", () => {
  const words = [
    "postgres://h/d",
    "postgres://me@/d?host=/run/postgres&port=5433&schema=mine",
    "postgres://me:a@h/d",
    "postgres://me:@h/d",
    "postgres://me@h/d?password=a",
    "postgres://me@h/d?sslkey=/keys/a",
    "postgres://me@h/d?p%61ssword=a",
  ].flatMap((text) => ["simplefunctions", "theirs"].map((schema) => databasePlace(text, schema).word));
  expect(words).toStrictEqual([
    "postgres://h/d",
    "'postgres://h/d?schema=theirs'",
    "'postgres://me@/d?host=/run/postgres&port=5433&schema=mine'",
    "'postgres://me@/d?host=/run/postgres&port=5433&schema=mine'",
    '"$SF_STORE"',
    '"$SF_STORE?schema=theirs"',
    '"$SF_STORE"',
    '"$SF_STORE?schema=theirs"',
    '"$SF_STORE"',
    '"$SF_STORE&schema=theirs"',
    '"$SF_STORE"',
    '"$SF_STORE&schema=theirs"',
    '"$SF_STORE"',
    '"$SF_STORE&schema=theirs"',
  ]);
});

test.each(["", "Mine", "pg_mine", "1st", "a-b", "a".repeat(64), "s3cret word"])(
  "a schema that cannot be used is bad usage before anything is opened, and is not repeated: %j",
  (name) => {
    const refusal = thrownBy(() => databasePlace(`postgres://h/d?schema=${encodeURIComponent(name)}`, "s"));
    expect(isBadUsage(refusal as never)).toBe(true);
    expect((refusal as Error).message).toMatch(/^\?schema= of the store is no name of a schema/);
    expect((refusal as Error).message).not.toContain("s3cret");
  },
);

test.each(["mysql://me:s3cret-word-of-mine@h/d", "s3cret-word-of-mine", "postgres:s3cret-word-of-mine@"])(
  "what is no PostgreSQL database is bad usage, and is not repeated: %#",
  (text) => {
    const refusal = thrownBy(() => databasePlace(text, "s"));
    expect(isBadUsage(refusal as never)).toBe(true);
    expect((refusal as Error).message).not.toContain("s3cret");
  },
);

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
