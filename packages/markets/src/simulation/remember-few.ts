/** Remembers what a function gave for the last few keys. */
export function rememberFew<Key, Value>(few: number, compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = compute(key);
    known.set(key, { value });
    for (const oldest of known.keys()) {
      if (known.size <= few) break;
      known.delete(oldest);
    }
    return value;
  };
}
