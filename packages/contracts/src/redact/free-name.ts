/** Two keys that would become one are told apart, so that no member is lost. */
export function freeName(
  name: string,
  isTaken: (name: string) => boolean,
  counts: Map<string, number>,
): string {
  let count = counts.get(name) ?? 1;
  do count++;
  while (isTaken(`${name}#${count}`));
  counts.set(name, count);
  return `${name}#${count}`;
}
