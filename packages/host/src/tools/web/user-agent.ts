import { HostConfigurationNeededError, version } from "@spfunctions/contracts";

export const ownUserAgent = `SimpleFunctions/${version}`;

export function readUserAgent(given: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/.test(given)) return given;
  throw new HostConfigurationNeededError("userAgent is a line of up to 256 ASCII characters", {
    details: { path: "/userAgent", reason: "bad_user_agent" },
  });
}
