/** Whether the example markets are served: beside tools that somebody has named only if that was asked for, else unless it was refused. */
export function servesExample({
  pack,
  markets = pack === undefined,
}: {
  readonly pack?: readonly string[];
  readonly markets?: boolean;
}): boolean {
  return markets;
}
