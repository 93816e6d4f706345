export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
