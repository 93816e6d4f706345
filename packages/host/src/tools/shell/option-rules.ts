// What each command may be told. Only what is listed passes, by its exact name; what runs a program, writes, waits for ever or takes a
// list of files from elsewhere is on no list, and the best known of it is named so that the refusal can say why. That an option takes a
// value, or does not, is what the programs themselves say: a test asks them.
export type OptionRules = {
  /** Letters that take no value. */
  readonly flags?: string;
  /** Letters that take one, attached or as the next word. */
  readonly values?: string;
  /** Letters that take one only where it is attached. */
  readonly attached?: string;
  /** Long names, apart by blanks, as above. */
  readonly longFlags?: string;
  readonly longValues?: string;
  readonly longAttached?: string;
  /** Whether `-5` is a number: as a word of its own, or among letters. */
  readonly numbers?: "alone" | "among_letters";
  /** The most operands that it takes. */
  readonly most?: { readonly operands: number; readonly why: string };
  /** How every operand begins, or how none before `--` does. */
  readonly begins?: { readonly with: string; readonly why: string };
  readonly neverBegins?: { readonly with: string; readonly why: string };
  /** Options that people will try, and why they are on no list; also letters that a program reads as it did of old. */
  readonly never?: Readonly<Record<string, string>>;
};

const runs = "it runs another program";
const writes = "it writes";
const follows = "it would never end";
const elsewhere = "it takes the names of files from elsewhere; name the files";

export const optionRules = {
  ls: {
    flags: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    values: "ITw",
    longFlags: `all almost-all author context dereference dereference-command-line
      dereference-command-line-symlink-to-dir directory escape file-type full-time group-directories-first hide-control-chars
      human-readable ignore-backups inode kibibytes literal no-group numeric-uid-gid quote-name recursive reverse
      show-control-chars si size zero`,
    longValues:
      "block-size format hide ignore indicator-style quoting-style sort tabsize time time-style width",
    longAttached: "classify color",
  },
  cat: {
    flags: "AbeEnstTuv",
    longFlags: "number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank",
  },
  head: {
    flags: "qvz",
    values: "cn",
    longFlags: "quiet silent verbose zero-terminated",
    longValues: "bytes lines",
    numbers: "alone",
  },
  tail: {
    flags: "qvz",
    values: "cn",
    longFlags: "quiet silent verbose zero-terminated",
    longValues: "bytes lines",
    numbers: "alone",
    neverBegins: { with: "+", why: "write -n +5; a file of that name comes after --" },
    never: {
      "-f": follows,
      "-F": follows,
      "-cf": follows,
      "-s": follows,
      "--follow": follows,
      "--retry": follows,
      "--pid": follows,
      "--sleep-interval": follows,
    },
  },
  wc: {
    flags: "clLmw",
    longFlags: "bytes chars lines max-line-length words",
    never: { "--files0-from": elsewhere },
  },
  grep: {
    flags: "abcEFGhHiIlLnoPqrRsTUvVwxyzZ",
    values: "ABCdDefm",
    longFlags: `basic-regexp binary byte-offset count dereference-recursive extended-regexp files-with-matches
      files-without-match fixed-strings ignore-case initial-tab invert-match line-buffered line-number line-regexp no-filename
      no-group-separator no-ignore-case no-messages null null-data only-matching perl-regexp quiet recursive silent text with-filename word-regexp`,
    longValues: `after-context before-context binary-files context devices directories exclude exclude-dir exclude-from file
      group-separator include label max-count regexp`,
    longAttached: "color colour",
    numbers: "among_letters",
  },
  sort: {
    flags: "bcCdfghiMmnRrsuVz",
    values: "kSt",
    longFlags: `debug dictionary-order general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks
      ignore-nonprinting merge month-sort numeric-sort random-sort reverse stable unique version-sort zero-terminated`,
    longValues: "buffer-size field-separator key parallel sort",
    longAttached: "check",
    never: {
      "-o": writes,
      "--output": writes,
      "-T": writes,
      "--temporary-directory": writes,
      "--compress-program": runs,
      "--files0-from": elsewhere,
    },
  },
  uniq: {
    flags: "cdDiuz",
    values: "fsw",
    longFlags: "count ignore-case repeated unique zero-terminated",
    longValues: "check-chars skip-chars skip-fields",
    longAttached: "all-repeated group",
    most: { operands: 1, why: "it would write to the second" },
  },
  cut: {
    flags: "nsz",
    values: "bcdf",
    longFlags: "complement only-delimited zero-terminated",
    longValues: "bytes characters delimiter fields output-delimiter",
  },
  pwd: { flags: "LP", longFlags: "logical physical" },
  date: {
    flags: "Ru",
    values: "dr",
    attached: "I",
    longFlags: "debug rfc-2822 rfc-email universal utc",
    longValues: "date reference rfc-3339",
    longAttached: "iso-8601",
    most: { operands: 1, why: "it takes one +FORMAT" },
    begins: { with: "+", why: "it would set the clock; a format begins with +, a date goes after -d" },
    never: {
      "-s": "it sets the clock",
      "--set": "it sets the clock",
      "-f": "it takes its dates from a file; use -d",
      "--file": "it takes its dates from a file; use --date",
    },
  },
  stat: {
    flags: "Lt",
    values: "c",
    longFlags: "dereference terse",
    longValues: "cached format printf",
    never: {
      "-f": "it tells about the machine's file systems",
      "--file-system": "it tells about the machine's file systems",
    },
  },
  file: {
    flags: "0bhikLNnr",
    values: "eF",
    longFlags: `brief dereference extension keep-going mime mime-encoding mime-type no-buffer no-dereference no-pad
      print0 raw`,
    longValues: "exclude separator",
    never: {
      "-z": runs,
      "-Z": runs,
      "--uncompress": runs,
      "--uncompress-noreport": runs,
      "-C": writes,
      "--compile": writes,
      "-p": writes,
      "--preserve-date": writes,
      "-m": "it reads other rules than the machine's",
      "--magic-file": "it reads other rules than the machine's",
      "-f": elsewhere,
      "--files-from": elsewhere,
      "-s": "it reads devices",
      "--special-files": "it reads devices",
      "-S": "it lifts a limit",
      "--no-sandbox": "it lifts a limit",
    },
  },
  diff: {
    flags: "abBcdeEiNnpPqrstTuwyZ",
    values: "CDFILUWx",
    longFlags: `brief ed expand-tabs ignore-all-space ignore-blank-lines ignore-case ignore-file-name-case ignore-space-change
      ignore-tab-expansion ignore-trailing-space initial-tab left-column minimal new-file no-dereference
      no-ignore-file-name-case normal rcs recursive report-identical-files show-c-function side-by-side speed-large-files
      strip-trailing-cr suppress-blank-empty suppress-common-lines text unidirectional-new-file`,
    longValues: "exclude horizon-lines ifdef ignore-matching-lines label show-function-line tabsize width",
    longAttached: "color context unified",
    numbers: "among_letters",
    never: { "-l": runs, "--paginate": runs, "-X": elsewhere, "--exclude-from": elsewhere },
  },
} as const satisfies Record<string, OptionRules>;
