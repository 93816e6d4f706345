/** Makes any name a member like any other: assigning to one that objects inherit (`__proto__`) could run a setter. */
export function setMember<Value>(target: Record<string, Value>, name: string, value: Value): void {
  // What is not inherited can be assigned, which is much faster.
  if (name in target)
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  else target[name] = value;
}
