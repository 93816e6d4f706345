/** As they were given. */
export type DoctorOptions = {
  readonly url?: string;
  readonly keyFile?: string;
  readonly store?: string;
  readonly json?: true;
};
