/** What a promise comes to, or the fault of having given up as soon as the signal says so: nobody waits for what hangs. */
export async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  faultOf: (signal: AbortSignal) => Error,
): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(faultOf(signal));
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}
