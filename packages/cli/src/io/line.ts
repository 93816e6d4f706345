/** Prints a line of a text that is told name by name. */
export type Line = (name: string, text: string, indent?: string) => void;
