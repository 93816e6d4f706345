export type { Fixture, UnusedCall } from "./fixture.ts";
export type { FixtureMode } from "./fixture-mode.ts";
export type { AgentUse, FixtureUse, GovernedUse } from "./fixture-options.ts";
export { openFixture } from "./open-fixture.ts";
export type { AgentFixture, GovernedFixture } from "./open-session.ts";
export type { NodeTestContext, TestContext, VitestContext } from "./test-context.ts";
export { useFixture } from "./use-fixture.ts";
