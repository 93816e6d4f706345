// Every route there is: one for each tool of the manifest, and the few that are written here.
import {
  type ContractTool,
  NotFoundError,
  type SimpleFunctionsError,
  InvalidManifestError,
} from "@spfunctions/contracts";
import { type Context, Hono } from "hono";
import { preflightHeaders } from "../door/cors.ts";
import {
  answerData,
  answerError,
  type AnswerTerms,
  type ErrorTerms,
  type Fault,
  headersOf,
} from "./answer.ts";
import { type Documents, type DocumentSource, isKnown, type PlainDocument } from "./documents.ts";
import type { Door, Placed } from "../door/door.ts";
import { type Inquiry, inquiryOf, type SocketEnv } from "./inquiry.ts";
import type { Readiness } from "./readiness.ts";
import type { ToolAnswerer } from "./tool-handler.ts";

type Env = { Bindings: SocketEnv };
type PlacedTerms = AnswerTerms & Pick<Placed, "page" | "headers">;
type Answerer = (inquiry: Inquiry, params: Readonly<Record<string, string>>) => Promise<Response>;

export type AppTerms = {
  readonly tools: readonly ContractTool[];
  readonly answererOf: (tool: ContractTool) => ToolAnswerer;
  readonly documents: Documents;
  readonly events: Answerer;
  /** Those about the caller's account. */
  readonly account: readonly (readonly [method: "GET" | "POST", path: string, answerer: Answerer])[];
  readonly door: Door;
  readonly readiness: Readiness;
  readonly requestId: () => string;
  readonly fault: Fault;
};

export function createApp(terms: AppTerms): Hono<Env> {
  const app = new Hono<Env>();
  const { documents } = terms;
  const plain: Record<string, Answerer> = {
    "/api/contracts/tools": documentAnswerer(terms, documents.manifest),
    "/api/contracts/tools/{name}": documentAnswerer(terms, documents.tool),
    "/api/contracts/signing-key": documentAnswerer(terms, documents.signingKey),
    "/api/openapi.json": documentAnswerer(terms, documents.openApi),
    "/api/health": healthAnswerer(terms),
    "/api/ready": readyAnswerer(terms),
  };
  const answerers: readonly (readonly [string, string, Answerer])[] = [
    ...Object.entries(plain).map(([path, answerer]) => ["GET", path, answerer] as const),
    ["GET", "/api/events", notForHead(terms, terms.events)],
    ["GET", "/api/runs/{runId}/events", notForHead(terms, terms.events)],
    ...terms.account.map(([method, path, answerer]) => [method, path, notForHead(terms, answerer)] as const),
  ];
  const reserved = new Set(answerers.map(([method, path]) => shapeOf(`${method} ${path}`)));
  for (const [method, path, answerer] of answerers) add(app, terms, method, path, answerer);
  for (const tool of terms.tools) {
    if (tool.http === undefined) continue;
    const { method, path } = tool.http;
    // The manifest's own tools are answered as documents.
    if (documentTools.has(tool.name)) continue;
    if (reserved.has(shapeOf(`${method} ${path}`))) throw taken(tool.name, `${method} ${path}`);
    add(app, terms, method, path, notForHead(terms, terms.answererOf(tool)));
  }
  app.onError((thrown) => {
    const requestId = terms.requestId();
    return answerError(terms.fault(thrown, requestId), { requestId });
  });
  app.options("*", (c) => preflight(terms, inquiryOf(c.req.raw, c.env)));
  app.notFound((c) => missing(app, terms, c));
  return app;
}

const documentTools = new Set(["manifest.list", "manifest.get"]);

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function taken(tool: string, route: string): InvalidManifestError {
  return new InvalidManifestError(
    `${tool}: the route ${route} is the platform's own; give the tool another`,
    {
      details: { tool, path: "/http/path", reason: "reserved_route" },
    },
  );
}

function add(app: Hono<Env>, terms: AppTerms, method: string, path: string, answerer: Answerer): void {
  app.on(method, path.replaceAll(/\{([^}]+)\}/g, ":$1"), async (c) => {
    try {
      return await answerer(inquiryOf(c.req.raw, c.env), c.req.param());
    } catch (thrown) {
      const requestId = terms.requestId();
      return answerError(terms.fault(thrown, requestId), { requestId });
    }
  });
}

/** Who asks for headers alone gets none of what would have to run first. */
function notForHead(terms: AppTerms, answerer: Answerer): Answerer {
  return async (inquiry, params) =>
    inquiry.request.method === "HEAD"
      ? wrongMethod(terms, inquiry, ["GET"])
      : await answerer(inquiry, params);
}

/** Answers what comes from a place that may ask here, and any other with why it may not. */
function placed<Answer>(
  { door, requestId: newId }: AppTerms,
  inquiry: Inquiry,
  answer: (terms: PlacedTerms) => Answer,
): Answer | Response {
  const requestId = newId();
  const place = door.place(inquiry);
  if (place.type === "refused") return answerError(place.error, { requestId, ...place });
  return answer({ requestId, ...place });
}

function documentAnswerer(app: AppTerms, source: DocumentSource): Answerer {
  return async (inquiry, params) =>
    placed(app, inquiry, ({ requestId, headers }) => {
      const terms = { requestId, headers };
      try {
        return answerDocument(source(inquiry, params), inquiry, terms);
      } catch (thrown) {
        return answerError(app.fault(thrown, requestId), terms);
      }
    });
}

function answerDocument(document: PlainDocument, { header }: Inquiry, terms: AnswerTerms): Response {
  // Always asked for again, and then mostly answered with 304.
  const headers = { ...headersOf(terms), etag: document.etag, "cache-control": "no-cache" };
  if (isKnown(document, header("if-none-match"))) return new Response(null, { status: 304, headers });
  return new Response(document.text, { status: 200, headers });
}

function healthAnswerer(app: AppTerms): Answerer {
  return async (inquiry) => placed(app, inquiry, (terms) => answerData({ status: "ok" }, terms));
}

/** For whoever sends requests here or elsewhere: whether one that comes now can be served. */
function readyAnswerer(app: AppTerms): Answerer {
  return async (inquiry) =>
    await placed(app, inquiry, async (terms) => {
      const error = await app.readiness();
      if (error === undefined) return answerData({ status: "ready" }, terms);
      return answerError(error, { ...terms, status: 503 });
    });
}

/** What a browser asks before a page's request. Pages that may not call here get no leave. */
function preflight(app: AppTerms, inquiry: Inquiry): Response {
  return placed(app, inquiry, ({ requestId, page }) => {
    const headers = { ...preflightHeaders(page), "x-request-id": requestId };
    return new Response(null, { status: 204, headers });
  });
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function missing(app: Hono<Env>, terms: AppTerms, c: Context<Env>): Response {
  const inquiry = inquiryOf(c.req.raw, c.env);
  const allowed = methods.filter((method) => app.router.match(method, c.req.path)[0].length > 0);
  if (allowed.length > 0) return wrongMethod(terms, inquiry, allowed);
  const error = /.\/api\//.test(c.req.path) ? belowPrefix : noRoute;
  return refuseRoute(terms, inquiry, { status: 404, error });
}

function wrongMethod(terms: AppTerms, inquiry: Inquiry, allowed: readonly string[]): Response {
  const allow = allowed.join(", ");
  const error = otherMethods.get(allow) ?? new NotFoundError(`this route takes ${allowed.join(" and ")}`);
  otherMethods.set(allow, error);
  return refuseRoute(terms, inquiry, { status: 405, error, headers: { allow } });
}

function refuseRoute(
  app: AppTerms,
  inquiry: Inquiry,
  { status, error, headers: more }: Omit<ErrorTerms, "requestId"> & { readonly error: SimpleFunctionsError },
): Response {
  return placed(app, inquiry, ({ requestId, headers: own }) => {
    const { headers } = app.door.refuse("no_route", error, { ...own, ...more });
    return answerError(error, { requestId, headers, status });
  });
}

// Made once: making an error costs more than everything else that is done for a stranger.
const noRoute: SimpleFunctionsError = new NotFoundError(
  "there is no such route; GET /api/contracts/tools lists those there are, and a client's baseUrl ends before /api",
);
const belowPrefix: SimpleFunctionsError = new NotFoundError(
  "there is no such route: every path of the platform begins with /api/, and something stands before it here. Whoever mounts the platform below a path takes that path off before the request is passed on, as app.mount of Hono and app.use of Express do",
  { details: { reason: "below_prefix" } },
);
const otherMethods = new Map<string, SimpleFunctionsError>();
