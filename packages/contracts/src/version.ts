/** The version of these packages, which is that of each package.json; a test compares them. */
export const version = "0.1.0";
