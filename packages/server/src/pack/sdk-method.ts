/** Where the SDK has a tool. */
export function sdk(method: string): { readonly package: string; readonly method: string } {
  return { package: "@spfunctions/sdk", method };
}
