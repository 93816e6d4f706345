import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { mintToken, mostTokenSeconds, type PageTokenHost, tokenScopes } from "../tokens/browser-tokens.ts";
import { sdk } from "./sdk-method.ts";

const scopes = z.array(z.enum(tokenScopes)).min(1);

export function tokenTools(host: PageTokenHost) {
  return [
    defineTool({
      name: "tokens.create",
      title: "Make a token for a page",
      description:
        "A token for one browser page: read-only unless asked otherwise, good for minutes, and only from the origin it is made for.",
      permissions: ["tokens:create"],
      sideEffect: "auth_telemetry_write",
      costEffect: "none",
      risk: ["account_context", "secret"],
      stability: "beta",
      agent: { callable: false },
      replay: { replayable: false },
      idempotency: { type: "natural" },
      input: strictObject({
        origin: z.string().max(300),
        scopes: scopes.optional(),
        ttlSeconds: z.int().min(1).max(mostTokenSeconds).optional(),
      }),
      output: strictObject({
        token: z.string().meta({ "x-sf-secret": true, description: "Shown once and kept nowhere." }),
        expiresAt: timestampSchema,
        origin: z.string(),
        scopes,
      }),
      http: { method: "POST", path: "/api/tokens" },
      sdk: sdk("tokens.create"),
      run: async (input, { principal }) => await mintToken(host, principal, input),
    }),
  ];
}
