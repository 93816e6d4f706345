/** The version is that of package.json; a test compares them. */
export const ownUserAgent = "spfunctions-sdk/0.1.0";
