export type { ConformanceCase } from "./conformance-case.ts";
export type { OpenedStore } from "./store/store-case.ts";
export { type LeftOut, storeConformance } from "./store-conformance.ts";
export type { OpenedSearchIndex } from "./search/search-case.ts";
export { searchConformance } from "./search-conformance.ts";
