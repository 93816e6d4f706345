import { isSimpleFunctionsError, UpstreamError } from "@spfunctions/contracts";

/** What a server did that cannot be read, or made no sense. */
export function upstreamFault(message: string, reason: string, cause?: unknown): UpstreamError {
  return new UpstreamError(message, { details: { reason }, cause });
}

/** Whatever a connection, a parser or a decompressor throws. */
export function connectionFault(host: string, fault: unknown): Error {
  if (isSimpleFunctionsError(fault)) return fault;
  const code = codeOf(fault);
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return upstreamFault(`${host} sent a header that is too large`, "header_too_large", fault);
  return upstreamFault(
    `${host} was not reached, or broke off${code === undefined ? "" : ` (${code})`}`,
    "connection_failed",
    fault,
  );
}

function codeOf(fault: unknown): string | undefined {
  const code = fault instanceof Error ? (fault as { code?: unknown }).code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : undefined;
}
