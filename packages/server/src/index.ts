export type { NewKey } from "./keys/change-keys.ts";
export type { KeyView } from "./keys/key-view.ts";
export type { LogEvent, LogLine } from "./log-line.ts";
export { type Closed, openPlatform, type Platform } from "./open-platform.ts";
export { defaultPlatformLimits, type PlatformLimits, readPlatformLimits } from "./platform-limits.ts";
export type { PlatformOptions } from "./platform-options.ts";
export { type ListenOptions, type Listening, listen } from "./listen/listen.ts";
export { type FetchApp, requestListener } from "./listen/request-listener.ts";
export { type FirstKey, firstKeys, type FirstKeysTerms } from "./keys/first-keys.ts";
