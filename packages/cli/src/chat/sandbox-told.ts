import type { SandboxState } from "@spfunctions/host/tools";
import { ownPackIn } from "../packs/own-packs.ts";

/** How far what its packs do to files and by commands is shut in; only of those that it has. */
export type SandboxTold = {
  readonly files?: "full" | "reduced";
  readonly commands?: SandboxState;
};

/** Tried at this start, not guessed. */
export async function sandboxOf(packs: readonly string[], cwd: string): Promise<SandboxTold> {
  const own = packs.flatMap((name) => ownPackIn(name, cwd) ?? []);
  const roots = own.flatMap((one) => (one.kind === "fs" ? [one.root] : []));
  const hasShell = own.some(({ kind }) => kind === "shell");
  if (roots.length === 0 && !hasShell) return {};
  const { fileSandboxState, sandboxState } = await import("@spfunctions/host/tools");
  const states = await Promise.all(roots.map((root) => fileSandboxState({ root })));
  return {
    ...(states.length > 0 && { files: states.includes("reduced") ? "reduced" : "full" }),
    ...(hasShell && { commands: await sandboxState() }),
  };
}

export function sandboxLines({ files, commands }: SandboxTold): (readonly [name: string, text: string])[] {
  return [
    ...(files === "full" ? [["files", "full: no link is followed out of the folder"] as const] : []),
    ...(files === "reduced"
      ? [["files", "reduced: a path could be swapped here between a look at it and its use"] as const]
      : []),
    ...(commands?.state === "full"
      ? [["shell", `full, with ${commands.version}: no network, and only the folder can be written`] as const]
      : []),
    ...(commands?.state === "off"
      ? [
          ["shell", `off, so that shell.exec is refused: ${commands.reason}`] as const,
          ["", commands.remedy] as const,
        ]
      : []),
  ];
}
