import { Spectator, type SpectatorSession } from "@spfunctions/agent/spectator";
import { scriptedModel } from "@spfunctions/host/models";
import { createMemoryStore, openInstallation, openOperator } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { adds, says } from "../../test-data/chat-home.ts";
import { tools } from "../../test-data/notes-pack.ts";
import { idleRuns } from "../runs/idle-runs.ts";
import { callerOf, operatorOf } from "../seat/caller.ts";
import { driveTurn } from "./drive-turn.ts";

const view = {
  event: () => undefined,
  pause: () => undefined,
  cancelling: () => undefined,
  ended: () => undefined,
};

test("a turn that has come to its end by an answer, before anybody looks, is told as it ended", async () => {
  const store = createMemoryStore();
  const installation = openInstallation(new Uint8Array(32).fill(7));
  const agent = new Spectator({
    model: scriptedModel([says("I add.", adds("milk")), says("Added.")]),
    packs: [tools],
    policy: { maxSideEffect: "user_write" },
    principal: callerOf(),
    store,
    installation,
  });
  onTestFinished(() => agent.close());
  const operator = openOperator({ store, installation, principal: operatorOf("local") });
  const runs = idleRuns(store, installation, "local");
  const session = await agent.open("chat");
  const slow = new Proxy(session, {
    get: (whole, name: keyof SpectatorSession) => {
      const member = whole[name];
      if (name !== "resume") return typeof member === "function" ? member.bind(whole) : member;
      return async () => {
        const { runId = "" } = (await whole.left()) ?? {};
        if (runId !== "") await (await runs.get(runId)).wait();
        return await whole.resume();
      };
    },
  });
  const result = await driveTurn({ session: slow }, "add milk", {
    view,
    signal: new AbortController().signal,
    ask: {
      heard: async () => undefined,
      rested: async ({ approvals }) => {
        await operator.approve(approvals[0]?.approvalId ?? "");
        return true;
      },
    },
  });
  expect(result).toMatchObject({ status: "completed", text: "I add.\n\nAdded.", revision: 2 });
});
