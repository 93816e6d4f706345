import { describe, expect, test } from "vitest";
import { activeCapability, reservedCapability } from "../../test-data/package-samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { capabilityChoiceSchema } from "./capability-choice.ts";
import {
  activeCapabilitySchema,
  capabilityIdSchema,
  capabilityKindSchema,
  packageCapabilitySchema,
  reservedCapabilitySchema,
} from "./package-capability.ts";

describe("a capability", () => {
  keepsItsShape("active", activeCapabilitySchema, activeCapability);
  keepsItsShape("reserved", reservedCapabilitySchema, reservedCapability);

  test("is of one of these kinds", () => {
    expect(capabilityKindSchema.options).toStrictEqual(["tool", "agent_as_tool"]);
  });

  // proves PORT-1.14
  test("is named after its tool", () => {
    const ids = ["tool.world.read", "tool.subagent_monitor", "tool.a.b.c"];
    const others = [
      "",
      "tool",
      "tool.",
      "world.read",
      "tool.World.Read",
      "tool..read",
      "tool.x y",
      "mcp.x.y",
    ];
    expect(acceptedBy(capabilityIdSchema, [...ids, ...others])).toStrictEqual(ids);
  });

  test("that is reserved has no place for what could be shown or run", () => {
    for (const forced of [
      { contract: activeCapability.contract },
      { executorRef: `x@${activeCapability.contract.digest}` },
      { projection: "provider_tool" },
    ]) {
      expect(packageCapabilitySchema.safeParse({ ...reservedCapability, ...forced }).success).toBe(false);
    }
  });

  test("is reserved for somebody", () => {
    expect(reservedCapabilitySchema.safeParse({ ...reservedCapability, owner: "" }).success).toBe(false);
  });
});

test("a choice that says nothing reserves nothing and takes what there is", () => {
  expect(capabilityChoiceSchema.parse({})).toStrictEqual({ agentTools: [], reserved: [] });
  const { capabilityId, owner } = reservedCapability;
  expect(capabilityChoiceSchema.parse({ tools: ["a.b"], reserved: [{ capabilityId, owner }] })).toStrictEqual(
    {
      tools: ["a.b"],
      agentTools: [],
      reserved: [{ capabilityId, kind: "tool", owner }],
    },
  );
});
