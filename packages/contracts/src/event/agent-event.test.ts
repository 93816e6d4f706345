import { describe, expect, test } from "vitest";
import { agentEvents, outputFrames, runtimeEvents } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { agentEventSchema, outputFrameSchema, runtimeEventSchema } from "./agent-event.ts";

/** Per type, what may be missing. */
const optionalInAgentEvents: Record<keyof typeof agentEvents, string[]> = {
  "run.started": [],
  "tool.resolved": ["stepId"],
  "policy.checked": ["stepId", "toolDigest", "sideEffect", "costEffect"],
  "approval.required": ["stepId"],
  "approval.resolved": ["stepId"],
  "tool.started": ["stepId"],
  "tool.progress": ["stepId"],
  "tool.completed": ["stepId"],
  "tool.failed": ["stepId"],
  "run.completed": [],
  "run.failed": [],
};

const optionalInRuntimeEvents: Record<keyof typeof runtimeEvents, string[]> = {
  "runtime.started": ["sessionId"],
  "model.started": [],
  "model.delta": [],
  "model.attempt.discarded": ["error"],
  "model.completed": ["usage"],
  "context.condensed": [],
  "subagent.started": ["callId"],
  "subagent.handoff": [],
  "subagent.message": [],
  "subagent.progress": ["cursor", "tool", "text"],
  "subagent.rested": [],
  "subagent.woken": [],
  "subagent.cancelled": [],
  "subagent.detached": [],
  "subagent.reclaimed": [],
  "subagent.completed": ["usage"],
  "subagent.failed": [],
  "runtime.completed": [],
  "runtime.failed": [],
  "runtime.cancelled": [],
};

const optionalInFrames: Record<keyof typeof outputFrames, string[]> = {
  "session.init": [],
  "tool.catalog.loaded": [],
  "agent.final": ["output", "error"],
  "trace.receipt": [],
};

const typesOf = (schema: { options: readonly { shape: { type: { value: string } } }[] }) =>
  schema.options.map((option) => option.shape.type.value);

// proves KEY-17.2, KEY-17.3, KEY-17.4, KEY-17.5, KEY-17.6, KEY-17.7, KEY-17.8, KEY-17.9, KEY-23.4
// proves RUN-13.9
describe("events of a governed call", () => {
  test("are these, in the order they can occur", () => {
    expect(typesOf(agentEventSchema)).toStrictEqual(Object.keys(agentEvents));
  });

  for (const [type, sample] of Object.entries(agentEvents)) {
    const optional = optionalInAgentEvents[type as keyof typeof agentEvents];
    keepsItsShape(type, agentEventSchema, sample, { optional });
    keepsItsShape(`${type}, in a run`, runtimeEventSchema, sample, { optional });
  }
});

// proves RUN-13.6, RUN-13.7, RUN-13.8, RUN-13.10, RUN-13.11
describe("events of a model-backed run", () => {
  test("tell of a child that it was started, handed to, told, rests, is let go, taken back, or came to an end", () => {
    const ofChildren = typesOf(runtimeEventSchema).filter((type) => type.startsWith("subagent."));
    expect(ofChildren).toStrictEqual([
      "subagent.started",
      "subagent.handoff",
      "subagent.message",
      "subagent.progress",
      "subagent.rested",
      "subagent.woken",
      "subagent.cancelled",
      "subagent.detached",
      "subagent.reclaimed",
      "subagent.completed",
      "subagent.failed",
    ]);
  });

  // proves RUN-13.4
  test("are those of its calls and these", () => {
    expect(typesOf(runtimeEventSchema)).toStrictEqual([
      ...Object.keys(agentEvents),
      ...Object.keys(runtimeEvents),
    ]);
  });

  for (const [type, sample] of Object.entries(runtimeEvents)) {
    const optional = optionalInRuntimeEvents[type as keyof typeof runtimeEvents];
    keepsItsShape(type, runtimeEventSchema, sample, { optional });
  }
});

// proves KEY-17.10, KEY-17.11, KEY-17.12, KEY-17.13
describe("what the command line prints around them", () => {
  test("is these", () => {
    expect(typesOf(outputFrameSchema)).toStrictEqual(Object.keys(outputFrames));
  });

  for (const [type, sample] of Object.entries(outputFrames)) {
    keepsItsShape(type, outputFrameSchema, sample, {
      optional: optionalInFrames[type as keyof typeof outputFrames],
    });
  }
});

test("an event is journaled and has a place, or live and has none; never both", () => {
  const everything = Object.values({ ...agentEvents, ...runtimeEvents });
  const liveOnly = everything.filter((event) => "live" in event).map((event) => event.type);
  expect(liveOnly).toStrictEqual(["tool.progress", "model.delta", "subagent.progress"]);
  const both = everything.map((event) => ({ ...event, live: true, seq: 1, index: 0 }));
  expect(acceptedBy(runtimeEventSchema, both)).toStrictEqual([]);
});

test("what is said between a run and its child goes to one of them", () => {
  const { direction, ...message } = runtimeEvents["subagent.message"];
  const said = ["to_child", "to_parent", "to_host", "", null, undefined];
  const events = said.map((to) => ({ ...message, direction: to }));
  expect(direction).toBe("to_parent");
  expect(acceptedBy(runtimeEventSchema, events)).toStrictEqual(events.slice(0, 2));
});

test("G1: an event of an unknown type is no event", () => {
  const types = ["tool.done", "model.started", "constructor", "__proto__", "", null, 7];
  const unknown = types.map((type) => ({ ...agentEvents["run.completed"], type }));
  expect(acceptedBy(agentEventSchema, unknown)).toStrictEqual([]);
});
