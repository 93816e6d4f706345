import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { unhandledDuring } from "../../test-data/call-waiting.ts";
import { unlessAborted } from "./unless-aborted.ts";

const fault = ({ reason }: AbortSignal) => new Error(`given up: ${reason}`);

describe("waiting for a promise unless it is given up", () => {
  test("ends as the promise ends, and leaves no listener", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(7), signal, fault)).toBe(7);
    const broken = unlessAborted(Promise.reject(new Error("broken")), signal, fault);
    await expect(broken).rejects.toThrow("broken");
    expect(getEventListeners(signal, "abort")).toStrictEqual([]);
  });

  test("ends with the signal, while it hangs or beforehand, and whatever comes later harms nobody", async () => {
    const unhandled = await unhandledDuring(async () => {
      const ended = new AbortController();
      const hanging = Promise.withResolvers<never>();
      const waiting = unlessAborted(hanging.promise, ended.signal, fault);
      ended.abort("enough");
      await expect(waiting).rejects.toThrow("given up: enough");
      await expect(unlessAborted(hanging.promise, ended.signal, fault)).rejects.toThrow("given up: enough");
      await expect(unlessAborted(Promise.resolve(7), ended.signal, fault)).rejects.toThrow("given up");
      hanging.reject(new Error("too late"));
      expect(getEventListeners(ended.signal, "abort")).toStrictEqual([]);
    });
    expect(unhandled).toStrictEqual([]);
  });
});
