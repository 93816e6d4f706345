import { isSimpleFunctionsError, type JsonValue, parseJsonStrict } from "@spfunctions/contracts";

/** What the strict reader refuses a whole text for, though it is one member's fault. */
const faultsOfOneMember = new Set<unknown>(["lone_surrogate", "inexact_integer", "number_overflow"]);

/** Strings, the last of which may have no end, and numbers. */
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"?|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

const surrogates =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^]/g;

/**
 * Strict JSON, but for what would cost a whole page because of one market: half a character becomes a NUL, for which the
 * member it stands in is refused later on, and a number that cannot be held becomes the text that it was written as.
 */
export function parseVenueJson(text: string, maxBytes: number): JsonValue {
  // What has been mended is longer than what was sent by two marks for each number.
  const limits = { maxBytes: maxBytes * 2 };
  try {
    return parseJsonStrict(text, limits);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || !faultsOfOneMember.has(error.details?.reason)) throw error;
    return parseJsonStrict(text.replace(tokens, mended), limits);
  }
}

function mended(token: string): string {
  if (token.startsWith('"')) {
    return token.replace(surrogates, (escape) => (escape.length === 6 ? "\\u0000" : escape));
  }
  const value = Number(token);
  const isWhole = /^-?[0-9]+(?:\.0+)?$/.test(token);
  return Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value)) ? token : `"${token}"`;
}
