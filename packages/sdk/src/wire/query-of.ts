/** With its question mark, where there is anything to ask. */
export function queryOf(members: Record<string, string | number | undefined>): string {
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
