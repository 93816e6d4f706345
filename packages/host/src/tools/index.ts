export type { FsLimits } from "./files/fs-limits.ts";
export { fsTools, type FsToolsOptions } from "./files/fs-tools.ts";
