import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export type RawAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** A connection on which anything can be written; gone with its test. */
export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname.replaceAll(/[[\]]/g, ""));
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await new Promise((resolve) => {
    socket.once("connect", resolve);
  });
  return socket;
}

/** What is answered to these bytes until the server closes the connection. */
export async function rawAnswers(baseUrl: string, ...parts: readonly string[]): Promise<RawAnswer[]> {
  const socket = await openSocket(baseUrl);
  const answers = answersOn(socket);
  for (const part of parts) socket.write(part, "latin1");
  return await answers;
}

/** What a server says on a connection until it ends it. */
export async function answersOn(socket: Socket): Promise<RawAnswer[]> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => {
    socket.once("close", resolve);
  });
  return readAnswers(Buffer.concat(chunks).toString("latin1"));
}

function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 2),
      ]),
    );
    const start = end + 4;
    const length = status < 200 ? 0 : Number(headers.get("content-length") ?? rest.length - start);
    answers.push({ status, headers, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
  return answers;
}
