export type ContentType = {
  /** Type and subtype, lower case; nothing where a server says none that is one. */
  readonly essence: string | undefined;
  readonly charset: string | undefined;
};

export function readContentType(given: string | undefined): ContentType {
  const said = (given ?? "").slice(0, 1000).toLowerCase();
  const essence = /^\s*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})\s*(?:$|[;,])/.exec(said)?.[1];
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/.exec(said);
  return { essence, charset: charset?.[1] ?? charset?.[2] };
}
