// As many connections as asked for, each with one request at a time: the server is what is measured, so the client does no more
// than it must.
import { connect } from "node:net";

export type Target = { readonly url: string; readonly path: string; readonly key: string };
export type Load = { readonly perSecond: number; readonly latencies: readonly number[] };

const headEnd = "\r\n\r\n";

export async function load({ url, path, key }: Target, requests: number, connections: number): Promise<Load> {
  const { hostname, port } = new URL(url);
  const authorization = key === "" ? "" : `Authorization: Bearer ${key}\r\n`;
  const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${authorization}\r\n`;
  const latencies: number[] = [];
  let left = requests;
  const begun = performance.now();
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let sentAt = 0;
      let head = "";
      let missing = -1;
      const send = () => {
        if (left === 0) {
          socket.end();
          resolve();
          return;
        }
        left--;
        head = "";
        missing = -1;
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (bytes: Buffer) => {
        if (missing === -1) {
          head += bytes.toString("latin1");
          const end = head.indexOf(headEnd);
          if (end === -1) return;
          if (!head.startsWith("HTTP/1.1 200")) reject(new Error(`not answered: ${head.slice(0, 400)}`));
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
          missing = length - (head.length - end - headEnd.length);
        } else missing -= bytes.length;
        if (missing > 0) return;
        latencies.push(performance.now() - sentAt);
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return { perSecond: (requests * 1000) / (performance.now() - begun), latencies };
}
