// B29: the address that was checked is the one that is connected to, and it is looked at again before the first byte is sent.
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { ContractViolationError } from "@spfunctions/contracts";
import type { buildConnector } from "undici";
import { numericHost, type Vetted } from "../address/vet-addresses.ts";
import type { Reach } from "@spfunctions/kernel";

/** Connects to vetted addresses of one name and nothing else. A signal takes away whatever has come of it. */
export function vettedConnector(
  { host, port }: Reach,
  { lookup, includes }: Vetted,
  signal: AbortSignal,
): buildConnector.connector {
  const address = numericHost(host);
  return ({ protocol }, done) => {
    const tcp = connectTcp({ host, port, lookup, autoSelectFamily: true, noDelay: true, signal });
    const fail = (fault: Error, socket: Socket = tcp) => {
      socket.destroy();
      tcp.destroy();
      done(fault, null);
    };
    tcp.once("error", fail);
    tcp.once("connect", () => {
      tcp.off("error", fail);
      // From here on others listen; an error with no listener would end the process.
      tcp.on("error", () => {});
      if (!includes(tcp.remoteAddress))
        return fail(new ContractViolationError(`${host}: connected to an address that nobody checked`));
      if (protocol === "http:") return done(null, tcp);
      const tls = connectTls({
        socket: tcp,
        // Who it must prove to be. A name is told to the server, too; numbers are not.
        host: address ?? host,
        ...(address === undefined && { servername: host }),
        ALPNProtocols: ["http/1.1"],
        rejectUnauthorized: true,
      });
      const failTls = (fault: Error) => fail(fault, tls);
      tls.once("error", failTls);
      tls.once("secureConnect", () => {
        tls.off("error", failTls);
        done(null, tls);
      });
    });
  };
}
