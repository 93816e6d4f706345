/** One turn of the event loop: everything that can go on without a clock or the outside has gone on. */
export async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits until something holds; fails when it still does not after many turns. */
export async function until(holds: () => boolean, what = "it"): Promise<void> {
  for (let turns = 0; turns < 500; turns++) {
    if (holds()) return;
    await turn();
  }
  throw new Error(`${what} did not happen`);
}

export type Settlement =
  | { readonly state: "kept"; readonly value: unknown }
  | { readonly state: "broken"; readonly error: unknown }
  | { readonly state: "pending" };

/** What a promise has come to once nothing moves any more. */
export async function settlement(promise: Promise<unknown>): Promise<Settlement> {
  let state: Settlement = { state: "pending" };
  void (async () => {
    try {
      state = { state: "kept", value: await promise };
    } catch (error) {
      state = { state: "broken", error };
    }
  })();
  for (let turns = 0; turns < 50 && state.state === "pending"; turns++) {
    await turn();
  }
  return state;
}

/** Rejections that nobody handled while something went on. */
export async function unhandledDuring(act: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const listen = (reason: unknown) => {
    seen.push(reason);
  };
  process.on("unhandledRejection", listen);
  try {
    await act();
    for (let turns = 0; turns < 5; turns++) {
      await turn();
    }
  } finally {
    process.off("unhandledRejection", listen);
  }
  return seen;
}

/** A promise and the two ways to settle it. */
export const gate = (): PromiseWithResolvers<void> => Promise.withResolvers<void>();
