import { classPack } from "./class-pack.ts";

/** The tools of every class, for programs that load them by their file. */
export const tools = classPack([]);
