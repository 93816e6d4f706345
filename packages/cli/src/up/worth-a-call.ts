import type { ContractTool } from "@spfunctions/contracts";

export type WorthACall = {
  /** A read that takes no input: whoever is told of it can make it as it is. */
  readonly read?: ContractTool;
  /** Where the packs have none of these: one of theirs that is worth looking up. */
  readonly look?: ContractTool;
};

/** What somebody can try who has just started a platform: something of the packs they have named, before what it always has. */
export function worthACall(own: readonly ContractTool[], all: readonly ContractTool[]): WorthACall {
  const routed = own.filter(({ http }) => http !== undefined);
  const read = routed.find(isPlainRead);
  if (read !== undefined) return { read };
  const world = all.find(({ name }) => name === "world.read");
  const [look] = routed;
  return { ...(world && { read: world }), ...(look && { look }) };
}

function isPlainRead({ http, sideEffect, input }: ContractTool): boolean {
  const { required = [] } = input as { readonly required?: readonly unknown[] };
  return http?.method === "GET" && !/[:{]/.test(http.path) && sideEffect === "none" && required.length === 0;
}
