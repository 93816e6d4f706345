// A caller's signal, asked by the language's own means: what somebody has put over them is never called.
const aborted = Reflect.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted");
const target = EventTarget.prototype;

export function isAborted(signal: AbortSignal | undefined): boolean {
  return signal !== undefined && aborted?.get?.call(signal) === true;
}

/** Whether it is one at all, whatever its prototype says. */
export function isSignal(value: unknown): value is AbortSignal {
  try {
    return typeof aborted?.get?.call(value) === "boolean";
  } catch {
    return false;
  }
}

/** Tells once; the answer stops listening. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  target.addEventListener.call(signal, "abort", act, { once: true });
  return () => target.removeEventListener.call(signal, "abort", act);
}
