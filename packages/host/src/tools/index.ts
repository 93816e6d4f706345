export type { FsLimits } from "./files/fs-limits.ts";
export { fsTools, type FsToolsOptions } from "./files/fs-tools.ts";
export type { Resolve } from "./web/address/vet-addresses.ts";
export type { GetOutput } from "./web/get-contract.ts";
export { defaultHttpLimits, type HttpLimits } from "./web/http-limits.ts";
export { httpTools, type HttpToolsOptions } from "./web/http-tools.ts";
