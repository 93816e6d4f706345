import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SseMessage, SseParser } from "./sse-parser.ts";

const encoder = new TextEncoder();

/** What comes out of a stream that was cut at these bytes. */
function read(text: string, cuts: readonly number[] = [], lastId = "") {
  const bytes = encoder.encode(text);
  const parser = new SseParser(lastId);
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  const messages = places.slice(1).flatMap((end, at) => parser.push(bytes.subarray(places[at], end)));
  return { messages, lastId: parser.lastId, retryMs: parser.retryMs };
}

const streams: [what: string, text: string, messages: SseMessage[], lastId?: string][] = [
  [
    "one message",
    "id: a:1.0\nevent: run.started\ndata: {}\n\n",
    [{ id: "a:1.0", event: "run.started", data: "{}" }],
  ],
  ["CRLF", "id: 1\r\ndata: x\r\n\r\ndata: y\r\n\r\n", [message("1", "x"), message("1", "y")]],
  ["CR alone", "id: 1\rdata: x\r\rdata: y\r\r", [message("1", "x"), message("1", "y")]],
  [
    "all kinds of line ends",
    "data: a\r\n\rdata: b\n\r\ndata: c\r\r\n",
    [message("", "a"), message("", "b"), message("", "c")],
  ],
  ["data over several lines", "data: a\ndata:\ndata:  b\n\n", [message("", "a\n\n b")]],
  ["empty data is data", "data\n\ndata:\n\n", [message("", ""), message("", "")]],
  ["a byte order mark", "\uFEFFdata: x\n\n", [message("", "x")]],
  ["only the first mark", "\uFEFFdata: \uFEFFx\n\n", [message("", "\uFEFFx")]],
  ["comments", ": still here\n\n:\n\ndata: x\n: in between\ndata: y\n\n", [message("", "x\ny")]],
  ["unknown fields and no colon", "what: x\nevent\ndata: x\nid\n\n", [message("", "x")]],
  ["characters of several bytes", "data: äöü€😀\n\n", [message("", "äöü€😀")]],
  ["an id without data moves the cursor", "id: 7\n\n", [], "7"],
  ["an id with a NUL is none", "id: 7\n\nid: 8\0\ndata: x\n\n", [message("7", "x")], "7"],
  ["an id without its end is not taken", "id: 7\ndata: x\n\nid: 8\ndata: y\n", [message("7", "x")], "7"],
  ["nothing without an end", "data: x", []],
  ["nothing", "", []],
  [
    "a kind holds for one message",
    "event: a\ndata: x\n\ndata: y\n\n",
    [{ id: "", event: "a", data: "x" }, message("", "y")],
  ],
];

function message(id: string, data: string): SseMessage {
  return { id, event: "message", data };
}

describe.each(streams)("%s", (_, text, messages, lastId = messages.at(-1)?.id ?? "") => {
  test("comes out as the standard says", () => {
    expect(read(text)).toStrictEqual({ messages, lastId, retryMs: undefined });
  });

  test("and the same wherever it is cut in two, and byte by byte", () => {
    const { length } = encoder.encode(text);
    for (let cut = 0; cut <= length; cut++) expect(read(text, [cut]).messages).toStrictEqual(messages);
    expect(
      read(
        text,
        Array.from({ length }, (__, at) => at),
      ).messages,
    ).toStrictEqual(messages);
  });
});

test("any stream comes out the same wherever it is cut", () => {
  const line = fc.constantFrom(
    "data: x",
    "data",
    "id: 1",
    "id:2",
    "event: e",
    ": c",
    "",
    "",
    "\uFEFFdata:ä",
    "retry: 5",
  );
  const end = fc.constantFrom("\n", "\r", "\r\n");
  const stream = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(""));
  fc.assert(
    fc.property(stream, fc.array(fc.nat(200)), (text, cuts) => {
      const { length } = encoder.encode(text);
      expect(
        read(
          text,
          cuts.map((cut) => Math.min(cut, length)),
        ),
      ).toStrictEqual(read(text));
    }),
    { numRuns: 2000 },
  );
});

test("a message without data keeps the cursor it was given", () => {
  expect(read("data: x\n\n", [], "from before").messages).toStrictEqual([message("from before", "x")]);
});

test("the time to stay away is a number, or not said", () => {
  expect(
    ["retry: 1500\n", "retry: soon\n", "retry: -1\n", "retry:\n"].map((text) => read(text).retryMs),
  ).toStrictEqual([1500, undefined, undefined, undefined]);
});

test("a message without end is not gathered for ever", () => {
  const line = encoder.encode(`data: ${"x".repeat(1024 * 1024)}\n`);
  const parser = new SseParser("");
  const push = () => {
    for (let count = 0; count < 20; count++) parser.push(line);
  };
  expect(push).toThrow("a message of the stream is too large");
  expect(() => new SseParser("").push(encoder.encode("x".repeat(9 * 1024 * 1024)))).toThrow("too large");
});
