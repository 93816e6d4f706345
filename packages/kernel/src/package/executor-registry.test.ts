import type { RuntimePackage } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import {
  allTools,
  packageWith,
  placeOrder,
  readNote,
  shareNote,
  writeNote,
} from "../../test-data/package-samples.ts";
import { reachableFrom, toolWith } from "../../test-data/tool-samples.ts";
import type { Tool } from "../tool/define-tool.ts";
import { registerPacks } from "../tool/registry.ts";
import { executorRefOf } from "./derive-routes.ts";
import { ExecutorRegistry } from "./executor-registry.ts";

const built = packageWith();
const refOf = (tool: Tool) => executorRefOf(tool.contract);

function registryWith(tools: readonly Tool[]): ExecutorRegistry {
  const registry = new ExecutorRegistry();
  for (const tool of tools) registry.register(refOf(tool), tool);
  return registry;
}

describe("a package is bound", () => {
  // proves PORT-14.2, PORT-14.7
  test("to the tools that its routes name, in the order of the routes", () => {
    const binding = registryWith(allTools).bind(built);
    const names = built.toolRoutes.map(({ canonicalToolName }) => canonicalToolName);
    expect(binding.type === "bound" && binding.tools.map(({ contract }) => contract.name)).toStrictEqual(
      names,
    );
    expect(binding.type === "bound" && binding.tools.every((tool) => allTools.includes(tool))).toBe(true);
  });

  test("so that a seat can be opened on it", () => {
    const binding = registryWith(allTools).bind(built);
    if (binding.type !== "bound") throw new Error("not bound");
    expect(registerPacks([binding.tools]).tools.size).toBe(built.toolRoutes.length);
  });

  test("also after a restart, when it was read back", () => {
    const read = JSON.parse(JSON.stringify(built)) as RuntimePackage;
    expect(registryWith(allTools).bind(read)).toStrictEqual(registryWith(allTools).bind(built));
  });

  // proves PORT-14.7
  test("to the version of a tool that it was made with, where there are two", () => {
    const newer = toolWith({ name: "notes.write", description: "Newer.", sideEffect: "user_write" });
    const binding = registryWith([newer, ...allTools]).bind(built);
    expect(binding.type === "bound" && binding.tools.includes(writeNote)).toBe(true);
    expect(binding.type === "bound" && binding.tools.includes(newer)).toBe(false);
  });
});

describe("a package is bound whole or not at all:", () => {
  const newer = toolWith({ name: "notes.write", description: "Newer.", sideEffect: "user_write" });
  const others = allTools.filter((tool) => tool !== writeNote && tool !== placeOrder);

  // proves PORT-14.8, PORT-14.9
  test("which routes have no executor here, or one with another digest, is said", () => {
    expect(registryWith([...others, newer]).bind(built)).toStrictEqual({
      type: "unbound",
      routes: [
        { canonicalToolName: "notes.write", executorRef: refOf(writeNote), reason: "other_digest" },
        { canonicalToolName: "orders.place", executorRef: refOf(placeOrder), reason: "no_executor" },
      ],
    });
  });

  test("what is reserved needs no executor", () => {
    const binding = registryWith(allTools.filter((tool) => tool !== shareNote)).bind(built);
    expect(binding.type).toBe("bound");
  });
});

describe("a registry", () => {
  // proves PORT-14.1
  test("that is new has no executor for any route", () => {
    const binding = new ExecutorRegistry().bind(built);
    expect(binding.type === "unbound" && binding.routes.map(({ reason }) => reason)).toStrictEqual(
      built.toolRoutes.map(() => "no_executor"),
    );
  });

  // proves PORT-1.4, PORT-14.6, PORT-14.10
  test("runs nothing when a tool is registered or a package bound", () => {
    let runs = 0;
    const counting = toolWith({ name: "notes.count", run: () => ++runs });
    const own = packageWith({ packs: [counting], reserved: [], sidecars: [], hooks: [], agentTools: [] });
    expect(registryWith([counting]).bind(own)).toStrictEqual({ type: "bound", tools: [counting] });
    expect(runs).toBe(0);
  });
});

describe("an executor is registered once, under its own ref:", () => {
  const registry = registryWith([readNote]);

  // proves PORT-14.3
  test("not under an empty one", () => {
    const error = refusalOf(() => registry.register("", writeNote));
    expect([error.code, error.details?.path]).toStrictEqual(["missing_field", "/executorRef"]);
  });

  // proves PORT-14.4
  test("not twice", () => {
    const error = refusalOf(() => registry.register(refOf(readNote), readNote));
    expect([error.code, error.message]).toStrictEqual([
      "invalid_package",
      "the executor of notes.read is registered already; register it once",
    ]);
  });

  // proves PORT-13.1, PORT-14.5
  test("not under the ref of another", () => {
    const error = refusalOf(() => registry.register(refOf(readNote), writeNote));
    expect([error.code, error.details?.reason]).toStrictEqual(["contract_violation", "ref_mismatch"]);
  });

  test.each<[string, unknown]>([
    ["a copy", { ...writeNote }],
    ["a contract", writeNote.contract],
    ["an object with a function", { contract: writeNote.contract, run: () => "ran" }],
    ["nothing", undefined],
  ])("not %s, which defineTool did not make", (_, stranger) => {
    const error = refusalOf(() => registry.register(refOf(writeNote), stranger as Tool));
    expect(error.code).toBe("contract_violation");
  });

  // proves PORT-14.9
  test("and gives out no function", () => {
    const binding = registryWith(allTools).bind(built);
    for (const part of reachableFrom(binding)) expect(typeof part).toBe("object");
  });
});
