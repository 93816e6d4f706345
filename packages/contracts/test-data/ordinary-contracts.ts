// Contracts as people write them, of tools that have to do with keys, tokens and passwords more often than most. None holds a secret.
import type { JsonObject } from "../src/json/json-value.ts";
import { type ToolDefinition } from "../src/tool/contract-tool.ts";

type Told = readonly [
  name: string,
  description: string,
  properties: JsonObject,
  required?: readonly string[],
];

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: "string",
  description,
  ...more,
});

const told: readonly Told[] = [
  [
    "auth.login",
    "Signs a user in and answers with a session token.",
    {
      username: text("The user's name."),
      password: text("The password.", { minLength: 8, format: "password" }),
      otp: text("The six digits of the authenticator.", { pattern: "^[0-9]{6}$", examples: ["123456"] }),
    },
    ["username", "password"],
  ],
  [
    "auth.reset_password",
    "Sends a mail with a link to reset the password. The link is good for 15 minutes.",
    {
      email: text("Where to send it.", { format: "email", examples: ["ada@example.com"] }),
      password_reset_method: { enum: ["email", "sms"], default: "email" },
    },
  ],
  [
    "auth.change_password",
    "Changes a password. old_password must match.",
    {
      old_password: text("Old."),
      new_password: text("New.", { minLength: 12, maxLength: 128 }),
      confirm_password: text("The new one again."),
    },
    ["old_password", "new_password"],
  ],
  [
    "auth.create_token",
    "Creates a personal access token. It is shown once.",
    {
      name: text("What it is for.", { default: "my token" }),
      expires_in: { type: "integer", default: 86400, maximum: 31536000 },
      token_type: { enum: ["bearer", "basic", "mac"], default: "bearer" },
      scopes: { type: "array", items: { enum: ["repo", "read:org", "admin:public_key", "write:packages"] } },
    },
  ],
  [
    "auth.exchange_code",
    "Exchanges an authorization code for tokens (OAuth 2.1 with PKCE).",
    {
      grant_type: {
        enum: [
          "authorization_code",
          "refresh_token",
          "client_credentials",
          "urn:ietf:params:oauth:grant-type:device_code",
        ],
        default: "authorization_code",
      },
      code: text("The code."),
      code_verifier: text("43 to 128 characters.", { minLength: 43 }),
      code_challenge_method: { enum: ["S256", "plain"], default: "S256" },
      client_id: text("The client.", { examples: ["my-client"] }),
      client_secret: text("Only for confidential clients."),
      redirect_uri: text("As registered.", { format: "uri", default: "http://localhost:3000/callback" }),
    },
    ["code", "client_id"],
  ],
  [
    "auth.introspect",
    "RFC 7662: whether a token is active. Send `Authorization: Bearer <token>`.",
    { token: text("The token."), token_type_hint: { enum: ["access_token", "refresh_token"] } },
    ["token"],
  ],
  [
    "keys.list",
    "Lists API keys by id. The key itself (sf_live_…) is never shown.",
    {
      key_id: text("Of one key.", { examples: ["key_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c"] }),
      include_revoked: { type: "boolean", default: false },
    },
  ],
  [
    "vault.read",
    "Reads a secret by its path. Its value is never logged.",
    {
      path: text("Where it is.", { default: "secret/data/my-app", examples: ["secret/data/prod/db"] }),
      version: { type: "integer", minimum: 0 },
    },
    ["path"],
  ],
  [
    "vault.write",
    "Writes a secret under a name; rotation_days says when to rotate.",
    {
      secret_name: text("Its name.", { examples: ["DATABASE_PASSWORD", "STRIPE_API_KEY"] }),
      secret_value: text("Its value.", { "x-sf-secret": true }),
      rotation_days: { type: "integer", default: 90 },
    },
    ["secret_name", "secret_value"],
  ],
  [
    "vault.generate",
    "Generates a password.",
    {
      length: { type: "integer", default: 20, minimum: 8 },
      password_charset: { enum: ["alnum", "ascii", "hex", "base64"], default: "ascii" },
      symbols: { type: "boolean", default: true },
    },
  ],
  [
    "github.create_issue",
    "Creates an issue in a repository. Needs a token with the scope `repo`.",
    {
      owner: text("Owner.", { default: "octocat" }),
      repo: text("Repository.", { default: "hello-world" }),
      title: text("Title."),
      labels: { type: "array", items: { type: "string" }, default: ["bug", "good first issue"] },
    },
    ["owner", "repo", "title"],
  ],
  [
    "github.get_commit",
    "Shows a commit by its sha, like 1a2b3c4 or 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.",
    { ref: text("A branch or sha.", { default: "main", pattern: "^[0-9a-f]{7,40}$|^[\\w./-]+$" }) },
    ["ref"],
  ],
  [
    "github.search_code",
    "Searches code. Example: `repo:octocat/hello-world language:ts apiKey`.",
    {
      q: text("The query.", { examples: ["password in:file", "token extension:env"] }),
      per_page: { type: "integer", default: 30, maximum: 100 },
      page_token: text("Of the next page."),
    },
  ],
  [
    "slack.post_message",
    "Posts a message to a channel. Mentions are written <@U024BE7LH>.",
    {
      channel: text("The channel.", { examples: ["C024BE91L", "#general"] }),
      text: text("What to say."),
      thread_ts: text("The thread.", { examples: ["1234567890.123456"] }),
    },
    ["channel", "text"],
  ],
  [
    "stripe.refund",
    "Refunds a charge, in part or whole.",
    {
      charge: text("Its id.", {
        pattern: "^ch_[A-Za-z0-9]{14,32}$",
        examples: ["ch_3MmlLrLkdIwHu7ix0snN0B15"],
      }),
      amount: { type: "integer", minimum: 1 },
      reason: { enum: ["duplicate", "fraudulent", "requested_by_customer"] },
    },
    ["charge"],
  ],
  [
    "stripe.create_customer",
    "Creates a customer; answers with its id, cus_….",
    { email: text("Mail."), payment_method: text("An id like pm_1MtwBwLkdIwHu7ixUEgbFdYF.") },
  ],
  [
    "aws.list_objects",
    "Lists objects of a bucket.",
    {
      bucket: text("Name.", { examples: ["my-bucket-eu-central-1"] }),
      prefix: text("Of the key.", { default: "logs/2026/" }),
      continuation_token: text("From the page before."),
      region: { enum: ["us-east-1", "eu-central-1", "ap-southeast-2"], default: "eu-central-1" },
    },
    ["bucket"],
  ],
  [
    "aws.assume_role",
    "Assumes a role by its ARN.",
    {
      role_arn: text("ARN.", {
        pattern: "^arn:aws:iam::[0-9]{12}:role/.+$",
        examples: ["arn:aws:iam::123456789012:role/reader"],
      }),
      external_id: text("If the role wants one."),
      access_key_id: text("AKIA and 16 characters.", { pattern: "^AKIA[0-9A-Z]{16}$" }),
    },
  ],
  [
    "db.query",
    "Runs a read-only SQL query, like SELECT id, name FROM users WHERE api_key IS NOT NULL.",
    {
      sql: text("One statement.", { default: "SELECT 1" }),
      connection_string: text("postgres://<user>:<password>@<host>/<database>"),
      timeout_ms: { type: "integer", default: 30000, maximum: 600000 },
    },
    ["sql"],
  ],
  [
    "db.connect",
    "Connects to a database. The password is read from $DATABASE_PASSWORD.",
    {
      host: text("Host.", { default: "localhost" }),
      port: { type: "integer", default: 5432 },
      user: text("User.", { default: "postgres" }),
      ssl_mode: { enum: ["disable", "require", "verify-full"], default: "require" },
      password_env: text("The variable's name.", { default: "DATABASE_PASSWORD" }),
    },
  ],
  [
    "crypto.swap",
    "Swaps one token for another.",
    {
      token: { enum: ["USDC", "DAI", "WETH"], default: "USDC" },
      token_in: text("Its symbol.", { default: "USDC", examples: ["ETH", "WBTC"] }),
      token_address: text("The contract.", {
        pattern: "^0x[0-9a-fA-F]{40}$",
        default: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      }),
      slippage_bps: { type: "integer", default: 50 },
    },
  ],
  [
    "crypto.balance",
    "Balance of a wallet.",
    {
      address: text("0x…", { examples: ["0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"] }),
      chain_id: { enum: [1, 10, 137, 8453, 11155111], default: 1 },
      block: { type: "integer", default: 21000000 },
    },
  ],
  [
    "llm.complete",
    "Completes a text. max_tokens bounds the answer.",
    {
      model: text("The model.", { default: "gpt-4o-mini", examples: ["claude-3-5-sonnet-20241022"] }),
      max_tokens: { type: "integer", default: 4096, maximum: 200000 },
      stop_token: text("Where it ends.", { default: "<|endoftext|>" }),
      temperature: { type: "number", default: 0.7 },
      api_key: text("Yours; else $OPENAI_API_KEY. Looks like sk-...."),
    },
  ],
  [
    "http.request",
    "Sends a request. Never put credentials into the address.",
    {
      url: text("Where.", { format: "uri", examples: ["https://api.example.com/v1/items?limit=10"] }),
      method: { enum: ["GET", "POST"], default: "GET" },
      headers: {
        type: "object",
        additionalProperties: { type: "string" },
        examples: [{ accept: "application/json", authorization: "Bearer <token>" }],
      },
      auth_type: { enum: ["none", "basic", "bearer", "digest", "oauth2"], default: "none" },
    },
    ["url"],
  ],
  [
    "mail.send",
    "Sends a mail by SMTP.",
    {
      to: { type: "array", items: { type: "string", format: "email" } },
      subject: text("Subject."),
      body: text("Text."),
      smtp_password_ref: text("A reference.", { default: "${SMTP_PASSWORD}" }),
    },
    ["to", "subject"],
  ],
  [
    "files.read",
    "Reads a file below the root. A path like ../../etc/passwd is refused.",
    {
      path: text("Where.", { examples: ["src/index.ts", ".env.example"] }),
      encoding: { enum: ["utf8", "base64", "hex"], default: "utf8" },
    },
    ["path"],
  ],
  [
    "shell.run",
    "Runs a command in a sandbox, like `git log --oneline -n 5`. Variables such as AWS_SECRET_ACCESS_KEY are not there.",
    {
      command: text("The command.", { default: "ls -la" }),
      cwd: text("Where.", { default: "/workspace" }),
      env: { type: "object", propertyNames: { pattern: "^[A-Z_][A-Z0-9_]*$" } },
    },
    ["command"],
  ],
  [
    "kubernetes.get_secret",
    "Shows the names in a Secret, and not their values.",
    {
      name: text("Name."),
      namespace: text("Namespace.", { default: "default" }),
      type: {
        enum: [
          "Opaque",
          "kubernetes.io/tls",
          "kubernetes.io/dockerconfigjson",
          "kubernetes.io/service-account-token",
        ],
      },
    },
    ["name"],
  ],
  [
    "docker.pull",
    "Pulls an image by tag or digest.",
    {
      image: text("Name.", {
        default: "ghcr.io/acme/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      }),
    },
  ],
  [
    "calendar.create_event",
    "Creates an event.",
    {
      title: text("Title."),
      start: text("When.", { format: "date-time", examples: ["2026-11-19T09:00:00Z"] }),
      attendees: { type: "array", items: { type: "string" }, default: [] },
      time_zone: text("IANA.", { default: "Europe/Berlin" }),
    },
    ["title", "start"],
  ],
  [
    "weather.now",
    "Weather at a place.",
    {
      lat: { type: "number", minimum: -90, maximum: 90 },
      lon: { type: "number" },
      units: { enum: ["metric", "imperial"], default: "metric" },
    },
    ["lat", "lon"],
  ],
  [
    "search.web",
    "Searches the web.",
    {
      query: text("What.", { examples: ["how to rotate an API key", "jwt vs session token"] }),
      freshness: { enum: ["day", "week", "month"] },
      cursor: text("Of the next page.", { default: "" }),
    },
    ["query"],
  ],
  [
    "jwt.decode",
    "Decodes a JSON Web Token without verifying it: header.payload.signature, in base64url.",
    {
      jwt: text("The token.", { pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$" }),
      algorithms: {
        type: "array",
        items: { enum: ["RS256", "ES256", "HS256", "EdDSA"] },
        default: ["RS256", "ES256"],
      },
    },
    ["jwt"],
  ],
  [
    "webhooks.register",
    "Registers a webhook. Each delivery is signed with HMAC-SHA256 in the header X-Signature-256.",
    {
      url: text("Where.", { format: "uri" }),
      events: { type: "array", items: { type: "string" }, default: ["push", "pull_request"] },
      secret: text("With which deliveries are signed; made unless given.", { minLength: 16 }),
      signature_header: text("Its name.", { default: "X-Signature-256" }),
    },
    ["url"],
  ],
  [
    "users.invite",
    "Invites people.",
    {
      emails: { type: "array", items: { type: "string" } },
      role: { enum: ["admin", "member", "auth0-admin", "oauth2-client"], default: "member" },
      password_required: { type: "boolean", default: true },
      access: { enum: ["read", "write", "none"], default: "read" },
    },
    ["emails"],
  ],
  [
    "session.open",
    "Opens a session.",
    {
      session: text("Its name.", {
        default: "default",
        examples: ["monday-review", "0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c"],
      }),
      session_ttl_s: { type: "integer", default: 3600 },
      cookie_name: text("Its name.", { default: "sid" }),
      cookie_same_site: { enum: ["Lax", "Strict", "None"], default: "Lax" },
    },
  ],
  [
    "orders.place",
    "Places an order; confirm with the word the operator has set.",
    {
      ticker: text("Which.", { examples: ["KXFED-26DEC-T4.00"] }),
      confirm: text("The word."),
      idempotency_key: text("So that it happens once.", { examples: ["order-2026-11-19-0001"] }),
    },
    ["ticker"],
  ],
  [
    "license.check",
    "Checks a license key of the form XXXXX-XXXXX-XXXXX-XXXXX.",
    {
      license_key: text("The key.", {
        pattern: "^[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}$",
        examples: ["XXXXX-XXXXX-XXXXX-XXXXX"],
      }),
      license: { enum: ["MIT", "Apache-2.0", "GPL-3.0-only"], default: "MIT" },
    },
  ],
  [
    "ssh.connect",
    "Connects by SSH with a key in ~/.ssh/id_ed25519.",
    {
      host: text("Host."),
      user: text("User.", { default: "root" }),
      private_key_path: text("File.", { default: "~/.ssh/id_ed25519" }),
      host_key_algorithm: { enum: ["ssh-ed25519", "rsa-sha2-512"], default: "ssh-ed25519" },
      passphrase_prompt: { type: "boolean", default: false },
    },
    ["host"],
  ],
  [
    "translate.text",
    "Translates a text. Supports 30 languages.",
    {
      text: text("What."),
      target: { enum: ["de", "en", "fr", "ja"], default: "en" },
      glossary_key: text("Of a glossary.", { default: "general" }),
    },
    ["text"],
  ],
  [
    "images.generate",
    "Draws a picture; the answer is base64, as in data:image/png;base64,iVBORw0KGgo….",
    {
      prompt: text("What."),
      size: { enum: ["256x256", "1024x1024"], default: "1024x1024" },
      seed: { type: "integer", default: 4815162342 },
      response_format: { enum: ["url", "b64_json"], default: "url" },
    },
    ["prompt"],
  ],
  [
    "telemetry.query",
    "Queries traces by id, like 4bf92f3577b34da6a3ce929d0e0e4736.",
    {
      trace_id: text("32 hex digits.", {
        pattern: "^[0-9a-f]{32}$",
        examples: ["4bf92f3577b34da6a3ce929d0e0e4736"],
      }),
      span_id: text("16.", { examples: ["00f067aa0ba902b7"] }),
    },
  ],
];

export const ordinaryContracts: readonly ToolDefinition[] = told.map(
  ([name, description, properties, required]) => ({
    name,
    compatName: name.replaceAll(".", "_"),
    title: name,
    description,
    status: "implemented",
    stability: "beta",
    authRequired: true,
    access: { anonymousAllowed: false },
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    risk: [],
    idempotency: { type: "natural" },
    input: {
      type: "object",
      properties,
      additionalProperties: false,
      ...(required && { required: [...required] }),
    },
    output: { type: "object", properties: { ok: { type: "boolean" }, ...properties } },
    agent: { callable: true, defaultEnabled: false, name },
    traceEvents: [],
    replay: { replayable: true, match: "tool+inputHash" },
  }),
);
