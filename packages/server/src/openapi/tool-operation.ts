import {
  type ContractTool,
  isFreeRead,
  type JsonObject,
  requiresIdentity,
  type ToolRoute,
} from "@spfunctions/contracts";
import { callErrors } from "./error-responses.ts";
import { headerRefs, parameterRef, rateLimitHeaders } from "./headers.ts";
import { localSchema } from "./local-schema.ts";
import { eventContent } from "./plain-route.ts";
import { envelopeOf, schemasHome } from "./record-schemas.ts";
import { sentInput } from "./tool-input.ts";

export type ToolOperation = {
  readonly operation: JsonObject;
  readonly schemas: Readonly<Record<string, JsonObject>>;
};

/** One tool as one operation, with the schemas that it needs. `names` are the path's parameters as the document has them. */
export function toolOperation(tool: ContractTool, route: ToolRoute, names: readonly string[]): ToolOperation {
  const component = `${tool.compatName}_input`;
  const output = `${tool.compatName}_output`;
  const { parameters, requestBody, schemas } = sentInput(route, tool.input, { component, names });
  const hasKey = requiresIdentity(tool);
  return {
    operation: {
      ...identityOf(tool),
      parameters: [
        ...parameters,
        ...(isFreeRead(tool) ? [] : [parameterRef("IdempotencyKey")]),
        parameterRef("Traceparent"),
        parameterRef("ClaimedOrigin"),
        parameterRef("ToolDigest"),
        parameterRef("Session"),
        parameterRef("SignReceipt"),
      ],
      ...(requestBody !== undefined && { requestBody }),
      responses: {
        200: {
          description: "What the tool answered, with the receipt of the call.",
          headers: headerRefs("RequestId", ...(hasKey ? rateLimitHeaders : [])),
          content: {
            "application/json": { schema: envelopeOf({ $ref: `${schemasHome}/${output}` }) },
            // Asked for with Accept: the events of the call as they happen, and then the answer.
            "text/event-stream": eventContent,
          },
        },
        ...callErrors({ hasBody: requestBody !== undefined }),
      },
      security: hasKey ? [{ bearer: [] }] : [],
    },
    schemas: { ...schemas, [output]: localSchema(tool.output, `${schemasHome}/${output}`) },
  };
}

/** What an operation says of the tool behind it. */
export function identityOf(tool: ContractTool): JsonObject {
  return {
    operationId: tool.compatName,
    tags: [namespaceOf(tool)],
    summary: tool.title,
    description: tool.description,
    "x-sf-tool": tool.name,
    "x-sf-digest": tool.digest,
    "x-sf-side-effect": tool.sideEffect,
    "x-sf-cost-effect": tool.costEffect,
    "x-sf-permissions": tool.permissions,
    "x-sf-risk": tool.risk,
  };
}

export function namespaceOf({ name }: Pick<ContractTool, "name">): string {
  return name.slice(0, name.lastIndexOf("."));
}
