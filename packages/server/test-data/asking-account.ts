// An account in which a person must approve what changes something, and the keys of those who ask and answer.
import type { Approval, HttpEnvelope } from "@spfunctions/contracts";
import { type Answer, ask, type Asked, testPlatform, type TestPlatform, type Way } from "./test-platform.ts";

export const asksAboutWrites = { requireForSideEffectAtOrAbove: "user_write" } as const;

export type AskingAccount = {
  readonly platform: TestPlatform;
  /** Whose writes must be approved. */
  readonly agent: string;
  readonly operator: string;
  /** A key that may write, and approve nothing. */
  readonly other: string;
  readonly request: (path: string, asked: Asked) => Promise<Answer>;
  /** Makes a call that must be approved, and gives what it takes. */
  readonly asked: (text?: string, more?: Asked) => Promise<{ approvalId: string; expiresAt: string }>;
  readonly answer: (approvalId: string, key: string, body: unknown) => Promise<Answer>;
};

export async function askingAccount(
  way: Way = "embedded",
  options: Parameters<typeof testPlatform>[1] = {},
): Promise<AskingAccount> {
  const platform = await testPlatform(way, options);
  const agent = await platform.key("acct_1", {
    name: "agent",
    scopes: ["read", "write"],
    approvals: asksAboutWrites,
  });
  const operator = await platform.key("acct_1", { name: "operator", scopes: ["admin"] });
  const other = await platform.key("acct_1", { name: "other", scopes: ["read", "write"] });
  const request: AskingAccount["request"] = (path, asked) => ask(platform, path, asked);
  return {
    platform,
    agent,
    operator,
    other,
    request,
    asked: async (text = "milk", more = {}) => {
      const { body } = await request("/api/notes", { key: agent, body: { text }, ...more });
      return errorIn(body).details as { approvalId: string; expiresAt: string };
    },
    answer: (approvalId, key, body) => request(`/api/approvals/${approvalId}/answer`, { key, body }),
  };
}

export function errorIn(body: HttpEnvelope): Extract<HttpEnvelope, { ok: false }>["error"] {
  if (body.ok) throw new Error("it went well");
  return body.error;
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what it expects
export function dataIn<Data = Approval>(body: HttpEnvelope): Data {
  if (body.ok) return body.data as Data;
  throw new Error(`${body.error.code}: ${body.error.message}`);
}

/** The approval that a refused call takes. */
export function approvalIn(body: HttpEnvelope): string {
  return errorIn(body).details?.["approvalId"] as string;
}
