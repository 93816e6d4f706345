/** A stretch of text that must not be shown, and what kind of secret it is. */
export type Span = { readonly start: number; readonly end: number; readonly kind: string };
