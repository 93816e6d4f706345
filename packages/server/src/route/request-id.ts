import { randomUUID } from "node:crypto";

/** Names one request, for whoever asks about it later. */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
