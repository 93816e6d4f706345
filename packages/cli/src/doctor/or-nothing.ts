/** What can be read; nothing where it cannot, which is then said by whoever looks at it first. */
export function orNothing<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
