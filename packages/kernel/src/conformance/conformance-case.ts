/** One promise of a port, and how to try whether an implementation keeps it: `run` throws where it does not. */
export type ConformanceCase = { readonly name: string; readonly run: () => Promise<void> };
