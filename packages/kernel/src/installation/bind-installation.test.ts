import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../store/memory-store.ts";
import { installationAccount, type Store } from "../store/store.ts";
import { bindInstallation } from "./bind-installation.ts";
import { openInstallation } from "./installation.ts";

const one = openInstallation(new Uint8Array(32).fill(201));
const other = openInstallation(new Uint8Array(32).fill(202));
const now = 1_767_323_045_678;
const bound = (store: Store) =>
  store.document({ kind: "installation", accountId: installationAccount, id: "installation" });

const otherSecret =
  "this store belongs to an installation with another secret; open it with that one, or use another data folder";
const anySecret =
  "this store belongs to an installation; open it with that installation's secret (SF_INSTALLATION_KEY, or its key file)";

async function refusal(act: Promise<void>): Promise<HostConfigurationNeededError> {
  const error: unknown = await act.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HostConfigurationNeededError);
  return error as HostConfigurationNeededError;
}

/** Nobody commits before both have looked: each believes to be the first. */
function racing(store: Store): Store {
  let looking = 2;
  const { promise: bothLooked, resolve: release } = Promise.withResolvers<void>();
  return {
    ...store,
    document: async (key) => {
      const found = await store.document(key);
      if (looking > 0 && --looking === 0) release();
      await bothLooked;
      return found;
    },
    commit: (unit) => store.commit(unit),
  };
}

describe("a store is tied to one secret", () => {
  test("the first binds it, by its id alone", async () => {
    const store = createMemoryStore();
    await bindInstallation(store, one, now);
    expect(await bound(store)).toMatchObject({ status: "bound", body: one.id, revision: 1 });
  });

  test("the same again is fine and writes nothing", async () => {
    const store = createMemoryStore();
    await bindInstallation(store, one, now);
    const before = await bound(store);
    await bindInstallation(store, openInstallation(new Uint8Array(32).fill(201)), now + 1);
    expect(await bound(store)).toStrictEqual(before);
  });

  test("another is refused, and told why", async () => {
    const store = createMemoryStore();
    await bindInstallation(store, one, now);
    const error = await refusal(bindInstallation(store, other, now));
    expect(error.message).toBe(otherSecret);
    expect(error.details).toStrictEqual({ reason: "other_installation" });
    expect((await bound(store))?.body).toBe(one.id);
  });

  test("none is refused on a bound one", async () => {
    const store = createMemoryStore();
    await bindInstallation(store, one, now);
    const error = await refusal(bindInstallation(store, undefined, now));
    expect(error.message).toBe(anySecret);
    expect(error.details).toStrictEqual({ reason: "other_installation" });
  });

  test("none on one that is tied to none is fine, and leaves it so", async () => {
    const store = createMemoryStore();
    await bindInstallation(store, undefined, now);
    expect(await bound(store)).toBeUndefined();
    await bindInstallation(store, one, now);
    expect((await bound(store))?.body).toBe(one.id);
  });

  test("of two at once with different secrets one wins and the other is refused", async () => {
    const store = createMemoryStore();
    const race = racing(store);
    const results = await Promise.allSettled([
      bindInstallation(race, one, now),
      bindInstallation(race, other, now),
    ]);
    expect(results.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected"]);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(HostConfigurationNeededError);
    expect(await bound(store)).toMatchObject({ body: one.id, revision: 1 });
  });

  test("of two at once with the same secret both are fine", async () => {
    const store = createMemoryStore();
    const race = racing(store);
    await Promise.all([bindInstallation(race, one, now), bindInstallation(race, one, now)]);
    expect(await bound(store)).toMatchObject({ body: one.id, revision: 1 });
  });
});
