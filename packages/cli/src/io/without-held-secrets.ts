import { heldSecrets } from "@spfunctions/contracts";

/** A shorter one could be a word of JSON itself. What records, events and errors say was looked through before. */
const shortestFind = 16;

/** S1: the last look before anything is printed: no long secret that this process holds gets out, however it was encoded once. */
export function withoutHeldSecrets(text: string): string {
  return heldSecrets.hide(text, shortestFind);
}
