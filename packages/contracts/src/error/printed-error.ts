// A decision and its proof are pages long: what is printed of an error has of them what a person reads. Programs have them whole.
const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

const shown: { readonly [detail: string]: readonly string[] } = {
  verdict: ["outcome", "gate", "reason", "remedy"],
  receipt: ["runId", "callId", "hash"],
};

/** The same error, for whoever prints it: looked at like any other, it has less to show. */
export function printedError(error: Error & { readonly details?: object | undefined }): object {
  const { details } = error;
  return Object.create(Object.getPrototypeOf(error) as object, {
    ...Object.getOwnPropertyDescriptors(error),
    ...(details && { details: { value: printedDetails(details), enumerable: true } }),
    [inspectCustom]: { value: undefined },
  }) as object;
}

/** Of an error that nobody catches Node prints all that is there, however deep, and asks no inspector; it reads no getter. */
export function hideLongDetails(details: object): void {
  for (const name of Object.keys(shown)) {
    const value: unknown = Object.hasOwn(details, name) ? details[name as never] : undefined;
    if (value === undefined) continue;
    Object.defineProperty(details, name, { get: () => value, enumerable: true, configurable: true });
  }
}

function printedDetails(details: object): object {
  const entries = Object.entries(details).map(([name, value]) => [name, printedDetail(name, value)] as const);
  return Object.fromEntries(entries);
}

function printedDetail(name: string, value: unknown): unknown {
  if (!Object.hasOwn(shown, name) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => shown[name]?.includes(member)));
}
