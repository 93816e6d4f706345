/** The variables that `sf` reads. Others that begin with SF_ are a mistake. */
export const environmentVariables = [
  /** The account that a command is for, unless `--account` names one; commands that look at everybody's still do. */
  "SF_ACCOUNT",
  /** The key to call a platform with, unless `--key-file` names one. */
  "SF_API_KEY",
  /** The address of a platform, unless `--url` gives one. */
  "SF_API_URL",
  /** The data folder, unless `--data` names one. */
  "SF_DATA",
  /** `1`: an error is shown with where it was made. */
  "SF_DEBUG",
  /** The installation's secret, instead of the one in its file: 64 hex or 43 base64url characters, 32 bytes; `openssl rand -hex 32` makes one. */
  "SF_INSTALLATION_KEY",
  /** The model that drives runs and chats, unless `--model` names one. */
  "SF_MODEL",
  /** The key of its provider; else `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`. */
  "SF_MODEL_KEY",
  /** `estimate`: where a server does not say what an answer has cost, a token counts for every two bytes; without it such an answer is a failure. */
  "SF_MODEL_USAGE",
  /** `1`: replay fixtures that are missing are recorded by the tests that need them; `all`: all of them anew. */
  "SF_RECORD",
  /** The address of a PostgreSQL database, unless `--store` gives one. */
  "SF_STORE",
] as const;
