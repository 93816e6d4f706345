import { constants } from "node:os";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { faultOf } from "../../../test/file-desk.ts";
import { inWords } from "./file-fault.ts";

function says(code: string): Promise<never> {
  const error = Object.assign(new Error(`${code}: no luck, open '/srv/secret/root/a'`), {
    code,
    syscall: "open",
    path: "/srv/secret/root/a",
  });
  return inWords("a", () => Promise.reject(error));
}

describe("what an operating system says is said in words", () => {
  test.each([
    ["ENOENT", "not_found not_found", "never"],
    ["ENOTDIR", "invalid_input not_folder", "never"],
    ["EISDIR", "invalid_input is_folder", "never"],
    ["EEXIST", "invalid_input exists", "never"],
    ["ENAMETOOLONG", "invalid_input name_too_long", "never"],
    ["ELOOP", "sandbox_denied link", "never"],
    ["ENXIO", "sandbox_denied special_file", "never"],
    ["EACCES", "host_configuration_needed not_permitted", "after_user_action"],
    ["EPERM", "host_configuration_needed not_permitted", "after_user_action"],
    ["EROFS", "host_configuration_needed read_only", "after_user_action"],
    ["ENOSPC", "upstream_error disk_full", "after_user_action"],
    ["EDQUOT", "upstream_error disk_full", "after_user_action"],
    ["EMFILE", "upstream_error os_limit", "after_wait"],
    ["EIO", "upstream_error disk_error", "after_wait"],
  ])("%s: %s", async (code, told, retry) => {
    const fault = await faultOf(says(code));
    expect(`${fault.code} ${fault.details?.reason}`).toBe(told);
    expect(fault.retry).toBe(retry);
  });

  test.each(Object.keys(constants.errno))("%s, and not where the root lies", async (code) => {
    const fault = await faultOf(says(code));
    expect(fault.message).toMatch(/^"a" /);
    expect(JSON.stringify(fault)).not.toContain("secret");
    expect(fault.cause).toBeUndefined();
  });

  test("one that nobody has heard of, by its name", async () => {
    expect(await faultOf(says("EODD"))).toMatchObject({
      code: "upstream_error",
      message: '"a" could not be used: the operating system says EODD',
      details: { path: "/path", reason: "os_error", errno: "EODD" },
    });
  });
});

test("what is no answer of an operating system is passed on as it is", async () => {
  const bug = new TypeError("a bug");
  const end = await inWords("a", () => Promise.reject(bug)).catch((error: unknown) => error);
  expect(end).toBe(bug);
  expect(isSimpleFunctionsError(end)).toBe(false);
});
