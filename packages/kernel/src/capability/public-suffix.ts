/** Whether people who have nothing to do with each other have names right below this one: `com`, `co.uk`, `github.io`. */
export async function isPublicSuffix(host: string): Promise<boolean> {
  // It is large, and hardly ever needed.
  const { getPublicSuffix } = await import("tldts");
  return getPublicSuffix(host, { allowPrivateDomains: true }) === host;
}
