import { expect, test } from "vitest";
import { Person } from "./person.ts";

/** A terminal on which is typed what the test types. */
function terminal() {
  const typed: string[] = [];
  let more = Promise.withResolvers<void>();
  let isOver = false;
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (typed.length === 0 && !isOver) await more.promise;
      more = Promise.withResolvers();
      const text = typed.shift();
      if (text === undefined) return;
      yield Buffer.from(text);
    }
  }
  return {
    person: new Person({ stdin: read() }),
    type: (text: string) => {
      typed.push(text);
      more.resolve();
    },
    leave: () => {
      isOver = true;
      more.resolve();
    },
  };
}

const never = new AbortController().signal;

test("a question is answered by the line that is typed after it was shown, and by none before", async () => {
  const { person, type } = terminal();
  type("too early\nand this\nhalf a li");
  expect(await person.ask(() => type("now\ntoo much\n"), never)).toBe("now");
  expect(await person.ask(() => type("and again\n"), never)).toBe("and again");
});

test("a line comes in pieces, and in any encoding of its letters", async () => {
  const { person, type } = terminal();
  const answer = person.ask(() => {
    type("über ");
    type("Nacht\n");
  }, never);
  expect(await answer).toBe("über Nacht");
});

test("whoever leaves, before or after they were asked, says nothing", async () => {
  const { person, leave } = terminal();
  expect(await person.ask(leave, never)).toBeUndefined();
  expect(await person.ask(() => expect.unreachable("nobody is there"), never)).toBeUndefined();
});

test("a question that is taken back is answered by nothing, and the next one by what follows it", async () => {
  const { person, type } = terminal();
  const taking = new AbortController();
  expect(await person.ask(() => taking.abort(), taking.signal)).toBeUndefined();
  expect(await person.ask(() => expect.unreachable("it was taken back"), taking.signal)).toBeUndefined();
  expect(await person.ask(() => type("yes\n"), never)).toBe("yes");
});

test("lines that come at once are told together; what comes after is heard by whoever asks on, and else counted", async () => {
  const { person, type } = terminal();
  type("too early\nand this\n\nhalf a li");
  expect(await person.askLines(() => type("one\ntwo\n"), never)).toStrictEqual(["one", "two"]);
  expect(person.unheard()).toBe(3);
  expect(person.unheard()).toBe(0);
  expect(await person.askLines(() => type("three\n"), never, true)).toStrictEqual(["three"]);
  expect(await person.ask(() => type("four\n"), never)).toBe("four");
});
