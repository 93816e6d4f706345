/**
 * Makes what a key stands for once, however many ask at once, and keeps it for the last `most` keys. What failed is made anew for
 * whoever asks next, and so is what is not `worthKeeping`.
 */
export function keepFew<Key, Value>(
  most: number,
  make: (key: Key) => Promise<Value>,
  worthKeeping: (value: Value) => boolean = () => true,
): (key: Key) => Promise<Value> {
  const kept = new Map<Key, Promise<Value>>();

  function keep(key: Key): Promise<Value> {
    const made = make(key);
    const forget = () => {
      if (kept.get(key) === made) kept.delete(key);
    };
    void made.then((value) => worthKeeping(value) || forget(), forget);
    kept.set(key, made);
    const [oldest] = kept.size > most ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return made;
  }
  return (key) => kept.get(key) ?? keep(key);
}
