// What is cached by its digest is answered as it is, without an envelope: the manifest, its tools, the OpenAPI document, the
// signing key.
import {
  canonicalJson,
  type ContractManifest,
  hashText,
  InvalidInputError,
  type JsonObject,
} from "@spfunctions/contracts";
import type { Signer } from "@spfunctions/kernel";
import { contractNamed, type ManifestOf } from "../pack/manifest-tools.ts";
import { openApiOf } from "../openapi/open-api.ts";
import type { Inquiry } from "./inquiry.ts";

export type PlainDocument = { readonly text: string; readonly etag: string };
export type DocumentSource = (inquiry: Inquiry, params: Readonly<Record<string, string>>) => PlainDocument;

export type Documents = Readonly<Record<"manifest" | "tool" | "openApi" | "signingKey", DocumentSource>>;

export function documentsOf(manifestOf: ManifestOf, signer: Signer, version: string): Documents {
  const manifests = new Map<ContractManifest, PlainDocument>();
  const tools = new Map<string, PlainDocument>();
  // Written when somebody wants it: a platform starts sooner without.
  let openApi: PlainDocument | undefined;
  const { keyId, publicKey } = signer;
  const signingKey = plain({ keyId, algorithm: "Ed25519", publicKey });
  return {
    manifest: ({ request }) => {
      const manifest = manifestOf(modeIn(request));
      const known = manifests.get(manifest) ?? manifestDocument(manifest);
      manifests.set(manifest, known);
      return known;
    },
    tool: (_, { name = "" }) => {
      const contract = contractNamed(manifestOf("implemented"), name);
      const known = tools.get(name) ?? { text: canonicalJson(contract), etag: `"${contract.digest}"` };
      tools.set(name, known);
      return known;
    },
    openApi: () => {
      const manifest = manifestOf("implemented");
      return (openApi ??= plain(openApiOf(manifest, { version })));
    },
    signingKey: () => signingKey,
  };
}

function manifestDocument(manifest: ContractManifest): PlainDocument {
  return { text: canonicalJson(manifest), etag: `"${manifest.digest}"` };
}

function plain(value: JsonObject): PlainDocument {
  const text = canonicalJson(value);
  return { text, etag: `"${hashText(text)}"` };
}

function modeIn({ url }: Request): ContractManifest["mode"] {
  const query = new URL(url).searchParams;
  const modes = query.getAll("mode");
  const unknown = [...query.keys()].find((name) => name !== "mode");
  const mode = modes[0] ?? "implemented";
  if (unknown === undefined && modes.length < 2 && (mode === "implemented" || mode === "review")) return mode;
  throw new InvalidInputError(
    "the manifest is asked for as it is, or with ?mode=implemented or ?mode=review",
    {
      details: { path: "/mode", reason: "unknown" },
    },
  );
}

/** Whether a cache already has it. */
export function isKnown({ etag }: PlainDocument, header: string | null): boolean {
  return (
    header !== null &&
    (header === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag))
  );
}
