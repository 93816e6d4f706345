/**
 * A module that is installed for benchmarks alone, in this folder. It is asked for by a name that no compiler follows, as
 * everything else must stand where it is not; whoever asks says what of it is used.
 */
export async function peer<Module>(name: string): Promise<Module> {
  try {
    return (await import(name)) as Module;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(`${name} is not installed here; npm ci --prefix bench installs it`, { cause: error });
  }
}
