// A password in an address goes whole; its host, its user and what only stands for a password stay.
import { describe, expect, test } from "vitest";
import { redactText } from "./redact-text.ts";

const hidden = "[redacted:url_password]";

describe("a password in an address is hidden", () => {
  test.each([
    ["postgres://app:", "%24ecretPass99", "@db:5432/app"],
    ["mysql://root:", "%23Secr3tXyz", "@db/app"],
    ["redis://:", "%2BSecr3tXyz9", "@cache:6379"],
    ["postgres://app:", "$ecretPass99", "@db:5432/app"],
    ["mysql://app:", "{Secr3tXyz", "@db/app"],
    ["postgres://app:", "p#ssw0rd1", "@db:5432/app"],
    ["postgres://app:", "pa?ssw0rd1", "@db:5432/app"],
    ["postgres://app:", "pa'ssw0rd1", "@db:5432/app"],
    ["postgres://app:", "p@ssw0rd1", "@db:5432/app"],
    ["postgres://app:", "p@ss/w0rd1", "@db:5432/app"],
    ["postgres://app:", "P@ss:w0rd/1", "@db:5432/app"],
    ["https://me:", "Tr0ub4dor", "@unpkg.com/@acme/lib@2.0.0/index.js"],
    ["postgres://app:", "hunter22", "@db.example.com/app?email=me@example.com"],
  ])("%s%s%s", (before, password, after) => {
    expect(redactText(`url ${before}${password}${after} end`)).toBe(`url ${before}${hidden}${after} end`);
  });
});

test.each([
  "mongodb://<user>:<password>@host/db",
  "mongodb+srv://<username>:<password>@cluster0.example.mongodb.net",
  "postgres://app:${DB_PASSWORD}@db/app",
  "postgres://app:$DB_PASSWORD@db/app",
  "postgres://app:$password@db/app",
  "postgres://app:{password}@db/app",
  "postgres://app:{{password}}@db/app",
  "postgres://%s:%s@%s/app",
  "postgres://app:%DB_PASSWORD%@db/app",
  "postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  "postgres://app:***@db/app",
  "postgres://app:[redacted:url_password]@db/app",
  "http://localhost:8080/users?email=me@example.com",
  "http://localhost:8080?email=me@example.com",
  "http://localhost:8080#me@example.com",
  "http://localhost:${PORT}/users?email=me@example.com",
])("an address without a password stays: %s", (text) => {
  expect(redactText(text)).toBe(text);
});
