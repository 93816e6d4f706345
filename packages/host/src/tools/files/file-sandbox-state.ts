import { type FsToolsOptions, openFileSandbox } from "./fs-tools.ts";
import type { SandboxState } from "./sandbox/opened.ts";
import { walk } from "./sandbox/walk.ts";

/** How sure it is that nothing outside this root is reached: tried on the root itself, not guessed. */
export async function fileSandboxState(options: FsToolsOptions): Promise<SandboxState> {
  const { signal } = new AbortController();
  return await walk(openFileSandbox(options), { path: [], signal }, async (_, state) => state);
}
