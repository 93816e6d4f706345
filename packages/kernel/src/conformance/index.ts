export type { ConformanceCase } from "./conformance-case.ts";
export type { GivenAnswer, ModelWire, OpenedModel, Reply, Way } from "./model/model-case.ts";
export { modelConformance, type ModelLeftOut } from "./model-conformance.ts";
export type { OpenedStore } from "./store/store-case.ts";
export { type LeftOut, storeConformance } from "./store-conformance.ts";
export type { OpenedSearchIndex } from "./search/search-case.ts";
export { searchConformance } from "./search-conformance.ts";
