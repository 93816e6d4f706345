// Under a name that is sure to hold a password, all of the password goes, and nothing around it.
import { describe, expect, test } from "vitest";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

const hidden = "[redacted:password]";

/** Whole, and as it comes in pieces of three characters. */
function bothWays(text: string): string[] {
  const redactor = createTextRedactor();
  const pieces = (text.match(/[\s\S]{1,3}/g) ?? []).map((piece) => redactor.push(piece));
  return [redactText(text), pieces.join("") + redactor.end()];
}

function expectBoth(text: string, redacted: string): void {
  expect(bothWays(text)).toStrictEqual([redacted, redacted]);
}

describe("a quote that is escaped does not end a value", () => {
  test.each([
    [String.raw`{"password":"Xk9q2\"tail-of-secret-77","a":1}`, `{"password":"${hidden}","a":1}`],
    [String.raw`password = "Xk9q2\"tail-of-secret-77" # new`, `password = "${hidden}" # new`],
    [
      String.raw`{"body":"{\"password\":\"Xk9q2\\\"tail-of-secret-77\",\"a\":1}"}`,
      String.raw`{"body":"{\"password\":\"${hidden}\",\"a\":1}"}`,
    ],
    [String.raw`{"password":"Xk9q2\\","user":"bob"}`, `{"password":"${hidden}","user":"bob"}`],
    [String.raw`{"password":"Xk9q2\\\"tail-of-secret-77"}`, `{"password":"${hidden}"}`],
  ])("%s", expectBoth);
});

describe("a member of JSON is hidden whatever it is", () => {
  test.each([
    ['{"password":"my S3cret pass"}', `{"password":"${hidden}"}`],
    ['{"password":"correct horse battery staple","a":1}', `{"password":"${hidden}","a":1}`],
    ['{"password":"$ecretPass"}', `{"password":"${hidden}"}`],
    ['{"password":"x"}', `{"password":"${hidden}"}`],
    ['{"password":{"value":"Xk9q2tail77"}}', `{"password":{"value":"${hidden}"}}`],
  ])("%s", expectBoth);

  test.each([
    '{"password":"${DB_PASSWORD}","other":"$DB_PASSWORD","third":"<password>"}',
    '{"password":"{{ vault_password }}"}',
    '{"password":"","a":"***"}',
    '{"password":"string"}',
    '{"password":"Password","confirm_password":"Confirm your password"}',
    '{"password":"must be at least 12 characters long"}',
    '{"password":{"type":"string","minLength":8}}',
    '{"errors":{"password":["is too short"]}}',
  ])("but not what only stands for it or speaks about it: %s", (text) => {
    expect(bothWays(text)).toStrictEqual([text, text]);
  });
});

describe("every item of a list is hidden", () => {
  test.each([
    [
      '{"passwords":["hunter22","Tr0ub4dor&3"],"a":["b"]}',
      `{"passwords":["${hidden}","${hidden}"],"a":["b"]}`,
    ],
    ["passwords: [hunter22, Tr0ub4dor&3]\nusers: [a, b]", `passwords: [${hidden}, ${hidden}]\nusers: [a, b]`],
    [
      "passwords:\n  - hunter22\n  - Tr0ub4dor&3\nusers:\n  - bob",
      `passwords:\n  - ${hidden}\n  - ${hidden}\nusers:\n  - bob`,
    ],
    [
      'tokens = ["aB3xK9pQ7zL2mN4vR8", "zz3xK9pQ7zL2mN4vRXX"]',
      'tokens = ["[redacted:secret]", "[redacted:secret]"]',
    ],
  ])("%s", expectBoth);
});

describe("a setting on a line of its own is hidden to the blank", () => {
  test.each([
    ["DB_PASSWORD=Ab1;Cd2,Ef3<Gh4>Ij5\nDB_HOST=db", `DB_PASSWORD=${hidden}\nDB_HOST=db`],
    ["export DB_PASSWORD=abc$DEF(123)x9Zsecret # new", `export DB_PASSWORD=${hidden} # new`],
    ["db:\n  password: Ab1{Cd2}Ef3Gh4\n  port: 1", `db:\n  password: ${hidden}\n  port: 1`],
    ["Password=Ab1,Cd2;Database=app", `Password=${hidden};Database=app`],
  ])("%s", expectBoth);

  test.each([
    "password: Optional[str1] = None",
    "password: Vec<u8>,",
    "PASSWORD=get_password(1)",
    "PASSWORD=$(cat /run/secrets/pw1)",
    "password=decode(a1);",
  ])("but not a type or a call: %s", (text) => {
    expect(bothWays(text)).toStrictEqual([text, text]);
  });
});
