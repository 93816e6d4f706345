import { heldSecrets } from "@spfunctions/contracts";
import { readKeyFile } from "@spfunctions/host/installation";

/** S1: the key in a file, hidden from everything that is printed from now on; nothing where there is none. */
export function readHeldKey(path: string): string | undefined {
  const key = readKeyFile(path);
  if (key !== undefined) heldSecrets.add(key, "api_key");
  return key;
}
