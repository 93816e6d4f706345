import { z } from "zod";

/** How a runtime package is fingerprinted, and the first part of every fingerprint made that way. */
export const packageFingerprintMethod = "sha256:runtime-package-canonical-v1";

export const packageFingerprintSchema = z
  .string()
  .regex(
    new RegExp(`^${packageFingerprintMethod}:[0-9a-f]{64}$`),
    `expected a fingerprint: ${packageFingerprintMethod}: and 64 lower-case hex digits`,
  )
  .brand<"PackageFingerprint">();
/** The identity of a runtime package: every record names the one it was made under. */
export type PackageFingerprint = z.infer<typeof packageFingerprintSchema>;
