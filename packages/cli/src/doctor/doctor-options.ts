/** As they were given. */
export type DoctorOptions = {
  readonly url?: string;
  readonly keyFile?: string;
  readonly data?: string;
  readonly store?: string;
  readonly json?: true;
};
