import { version } from "@spfunctions/contracts";

export const ownUserAgent = `spfunctions-sdk/${version}`;
