/** What is built for browsers runs in one, whatever its globals say. */
export function isBrowser(): boolean {
  return true;
}
