// Inputs of ordinary tool calls that change something: payments, letters, tickets, files, commands, deployments. None holds a secret,
// so none may stop at the gate `approval` because a part of it is hidden. Many speak of passwords, tokens and keys all the same.
import { idKinds, imageBytes } from "./ids.ts";
import { sampleTemplate } from "./generate.ts";
import { ordinaryStrings } from "./ordinary.ts";

/** What people and programs write about secrets without saying one. */
export const messages: readonly string[] = [
  "Please reset your password within 24 hours.",
  "I forgot my password and the reset link does not arrive.",
  "The password must be at least 12 characters long and contain a symbol.",
  "Passwords are hashed with argon2id before they are stored.",
  "Never share your password or your API key with anyone.",
  "Your API key was rotated yesterday by the security team.",
  "Set the environment variable OPENAI_API_KEY before you start.",
  "Use `export GITHUB_TOKEN=<your token>` to authenticate.",
  "Das Passwort wurde erfolgreich geändert.",
  "Le mot de passe est obligatoire.",
  "Le mot de passe est trop court.",
  "La contraseña es obligatoria.",
  "A senha é obrigatória.",
  "La password è obbligatoria.",
  "Das Passwort ist falsch.",
  "密码是必填项",
  "パスワードは必須です",
  "The password is Base64-encoded and the token is SHA256-hashed.",
  "The password for staging was changed by Ops on Tuesday",
  "Wifi: available in all rooms, key: ask the reception",
  "Log in as admin / editor and check.",
  "Log in as admin/editor2 to see it.",
  "creds: ask Tom",
  "login: anna / Anna Keller",
  "password: ${{ secrets.DB_PASSWORD }}",
  "api_key: YOUR_API_KEY",
  "password = os.environ['DB_PASSWORD']",
  "const token = await getToken(user);",
  "if (!password) throw new Error('password missing');",
  "max_tokens: 4096, tokens used: 1532 (prompt 1200, completion 332)",
  "user_id,token_type,status,created\n42,bearer,active,2026-11-03",
  "field,type,required\npassword,string,true\ntoken,string,false",
  "name,password policy,rotation\nacme,strict2026,90d",
  "| setting | password |\n|---|---|\n| shown | never |",
  "| field | token |\n|---|---|\n| kind | bearer |",
  "INSERT INTO users (email, password) VALUES ($1, $2)",
  "INSERT INTO users (email, password_hash, plan) VALUES (?, ?, 'pro');",
  "UPDATE users SET password = crypt($1, gen_salt('bf')) WHERE id = $2",
  "ALTER USER app WITH LOGIN;",
  "IDENTIFIED BY the police on Monday",
  'docker login -u bob -p "$DOCKER_PASSWORD" ghcr.io',
  "echo $TOKEN | docker login -u x --password-stdin",
  'echo "$GH_TOKEN" | gh auth login --with-token',
  "echo hello123world | sha256sum",
  "mysql -u root -p shop",
  "ssh -p 2222 deploy@10.0.0.1",
  "docker run -p 8080:80 nginx",
  "mkdir -p packages/contracts/src2",
  "cargo build -p my-crate2",
  "python3 -m pytest -p no:cacheprovider",
  "ssh-keygen -t ed25519 -N '' -f key",
  "vault login -method=oidc",
  "vault kv get secret/app",
  "cargo login",
  "snyk auth",
  "bw unlock --check",
  "wandb login --relogin",
  "wpa_passphrase home",
  "net user bob /active:yes",
  "rabbitmqctl list_users",
  "user anna logged out",
  "AUTH service is down",
  "IDENTIFY yourself at the door",
  "new NetworkCredential(user, password)",
  "auth=(username, password)",
  ".basic_auth(username, Some(password))",
  "server.login(user, pw)",
  "DriverManager.getConnection(url, user, password);",
  "WiFi.begin(ssid, password);",
  "new Twilio(accountSid, authToken)",
  "DBI->connect($dsn, $user, $pass)",
  "PASS=$(cat /run/secrets/db)",
  "Dim strPassword As String = txtPassword.Text",
  'error="invalid_token"\n\n«hex:64»  release.tar.gz',
  "https://acme.io/reset-password",
  "https://acme.io/reset/confirmation",
  "The secret to good bread is time.",
  "Secretary: Hans Muster, passenger: Maria Lopez",
  "-----BEGIN PGP SIGNATURE-----\n\n«b64:64»\n«b64:58»/PW\n«b64:64»\n=«b64:4»\n-----END PGP SIGNATURE-----",
];

/** A kind of call and its input. In its texts, `«hex:40»` is a template of `generate.ts`, `«id»` an id, `«text»` a text. */
const kinds: readonly (readonly [kind: string, input: unknown])[] = [
  [
    "payment",
    {
      amount: 4200,
      currency: "chf",
      customer: "cus_«alnum:14»",
      payment_method: "pm_1«alnum:23»",
      description: "Order «id»",
      metadata: { order_id: "«id»", cart: "«id»" },
      idempotency_key: "«uuid»",
    },
  ],
  ["refund", { charge: "ch_3«alnum:23»", reason: "requested_by_customer", note: "«text»" }],
  ["transfer", { to_iban: "DE«digits:20»", bic: "COBADEFFXXX", reference: "RF«digits:18»" }],
  [
    "letter",
    {
      to: ["anna@acme.io"],
      subject: "Your API key was rotated",
      body: "«text»",
      thread_id: "18«hex:14»",
      in_reply_to: "<CA«alnum:8»+«b64url:40»@mail.gmail.com>",
    },
  ],
  [
    "letter in HTML",
    { html: '<p>«text»</p><a href="https://acme.io/o/«id»?utm_source=mail">open</a>', to: "wei@acme.io" },
  ],
  ["letter with a file", { attachments: [{ filename: "a.pdf", content: "JVBERi0xLjcK«bytes»" }] }],
  ["upload", { name: "a.png", data: "data:image/png;base64,«bytes»", sha256: "«hex:64»" }],
  ["upload as base64", { path: "/img/x.jpg", encoding: "base64", content: "«bytes»" }],
  [
    "ticket",
    { project: "PAY", title: "Password reset mail not sent", description: "«text»", parent: "«id»" },
  ],
  ["comment", { issue: "«id»", body: "«text»" }],
  [
    "chat",
    { channel: "C0«uppernum:9»", thread_ts: "17«digits:8».«digits:6»", text: "<@U0«uppernum:9»> «text»" },
  ],
  ["SMS", { to: "+41«digits:9»", body: "Your parcel «id» arrives.", messaging_service_sid: "MG«hex:32»" }],
  [
    "calendar",
    {
      summary: "Key account review",
      start: { dateTime: "2026-11-20T10:00:00+01:00", timeZone: "Europe/Zurich" },
      conferenceData: {
        createRequest: { requestId: "«id»", conferenceSolutionKey: { type: "hangoutsMeet" } },
      },
      iCalUID: "«lowernum:26»@google.com",
    },
  ],
  ["calendar, synchronised", { syncToken: "CPj«b64url:20»=", calendar: "primary" }],
  [
    "contact",
    { objectType: "contacts", id: "«digits:11»", properties: { phone: "+1«digits:10»", ref: "«id»" } },
  ],
  ["CRM", { sobject: "Account", Id: "0015g00000«alnum:8»", fields: { OwnerId: "0055g00000«alnum:8»" } }],
  ["file of code", { path: "src/password.ts", content: "«text»\n«text»\n«text»" }],
  ["file of text", { path: "README.md", content: "# Keys\n\n«text»\n\n«text»\n\n«text»" }],
  [
    "lock file",
    { path: "package-lock.json", content: '{"node_modules/a":{"integrity":"sha512-«b64:86»=="}}' },
  ],
  [
    "services",
    {
      path: "docker-compose.yml",
      content:
        "services:\n  web:\n    image: ghcr.io/acme/web@sha256:«hex:64»\n    environment:\n      DB_PASSWORD: ${DB_PASSWORD}\n      API_KEY_FILE: /run/secrets/api_key\n",
    },
  ],
  [
    "example of settings",
    {
      path: ".env.example",
      content: "DB_PASSWORD=\nAPI_KEY=your-api-key\nJWT_SECRET=change-me\nPORT=3000\n",
    },
  ],
  [
    "workflow",
    {
      path: ".github/workflows/ci.yml",
      content:
        "jobs:\n  a:\n    permissions:\n      id-token: write\n    steps:\n      - uses: actions/checkout@«hex:40»\n        with:\n          token: ${{ secrets.GITHUB_TOKEN }}\n",
    },
  ],
  [
    "edit",
    {
      file_path: "/app/login.tsx",
      old_string: '<input name="password" type="password" />',
      new_string: '<input name="password" type="password" autoComplete="new-password" />',
    },
  ],
  [
    "patch",
    { base: "«hex:40»", patch: "index «hex:7»..«hex:7» 100644\n-  const token = a;\n+  const token = b;\n" },
  ],
  ["SQL", { query: "UPDATE users SET last_login = now() WHERE id = '«uuid»'", params: ["«id»", 4] }],
  ["SQL that inserts", { query: "INSERT INTO orders (id, ref, note) VALUES ('«id»', '«uuid»', 'x')" }],
  ["command", { command: "git checkout «hex:40» && npm ci", cwd: "/app", timeout_ms: 60_000 }],
  [
    "command with a variable",
    { command: 'curl -H "Authorization: Bearer $TOKEN" https://api.acme.io/o/«id»' },
  ],
  ["command on a cluster", { command: "kubectl -n prod set image deploy/web web=acme/web@sha256:«hex:64»" }],
  [
    "commit",
    { branch: "fix/«lower:8»", parent: "«hex:40»", tree: "«hex:40»", message: "auth: refresh tokens" },
  ],
  [
    "pull request",
    { head: "fix/«lower:6»", title: "Use passkeys", body: "«text»", node_id: "PR_kwDO«b64url:14»" },
  ],
  [
    "object",
    {
      Bucket: "acme-data",
      Key: "2026/«uuid»/«alnum:12».parquet",
      VersionId: "«alnum:32»",
      ETag: '"«hex:32»"',
      ContentMD5: "«b64:22»==",
    },
  ],
  ["object by its hash", { Bucket: "acme-data", Key: "blobs/«hex:2»/«hex:62»" }],
  ["object by its name", { bucket: "media", key: "«alnum:24»/«uuid».jpg" }],
  ["item", { TableName: "orders", Key: { pk: { S: "ORDER#«id»" }, sk: { S: "2026-11-03" } } }],
  [
    "cache",
    { op: "set", key: "cart:«uuid»", value: '{"items":[{"sku":"SKU-«uppernum:6»","n":2}]}', ttl: 3600 },
  ],
  ["cache of a session", { op: "expire", key: "sess:user:«digits:8»:cart", ttl: 60 }],
  ["flags", { namespace: "flags", key: "«alnum:14»", value: "on" }],
  [
    "pairs",
    {
      items: [
        { key: "cursor", value: "«b64url:40»" },
        { key: "«id»", value: "«id»" },
      ],
    },
  ],
  [
    "document",
    { collection: "users", filter: { _id: { $oid: "«hex:24»" } }, update: { $set: { plan: "pro" } } },
  ],
  ["index", { index: "logs", id: "«b64url:20»", document: { message: "«text»", trace: { id: "«hex:32»" } } }],
  ["page", { cursor: "«b64url:40»", next_token: "«b64url:80»", limit: 50, action: "archive" }],
  ["page of another kind", { pageToken: "«b64:60»==", continuationToken: "«b64:100»" }],
  [
    "deployment to a cluster",
    {
      kind: "Deployment",
      metadata: { uid: "«uuid»", labels: { "pod-template-hash": "«hex:10»" } },
      env: [{ name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "password" } } }],
    },
  ],
  [
    "infrastructure",
    { vars: { ami: "ami-0«hex:16»", key_name: "deploy-2026", subnets: ["subnet-0«hex:16»"] } },
  ],
  ["name server", { zone: "acme.io", type: "TXT", content: "google-site-verification=«alnum:43»" }],
  [
    "name server, challenge",
    { zone: "acme.io", type: "TXT", name: "_acme-challenge", content: "«b64url:43»" },
  ],
  ["deployment", { project: "prj_«alnum:28»", deployment: "dpl_«alnum:28»", sha: "«hex:40»" }],
  ["function", { CodeSha256: "«b64:43»=", RevisionId: "«uuid»", Role: "AROA«b32:17»" }],
  [
    "user of a cloud",
    { UserId: "AIDA«b32:17»", policy: "arn:aws:iam::«digits:12»:policy/read", action: "attach" },
  ],
  [
    "trade",
    { market: "KXBTC-26NOV«digits:2»-T«digits:5»", client_order_id: "«uuid»", token_id: "«digits:77»" },
  ],
  ["transaction", { to: "0x«hex:40»", data: "0xa9059cbb«hex:128»", nonce: 4, chainId: 1, token: "USDC" }],
  [
    "swap",
    { tokenIn: "WETH", tokenOut: "USDC", token: "0x«hex:40»", metadata: "ipfs://bafybei«b32lower:52»" },
  ],
  ["parcel", { carrier: "ups", tracking: "1Z«uppernum:6»«digits:10»", street: "Rue de la Clef 4" }],
  ["flight", { flight: "LX«digits:4»", pnr: "«uppernum:6»", passenger: "Anna Keller", pass_type: "economy" }],
  ["place", { lat: 47.376_887, lng: 8.541_694, place_id: "ChIJ«b64url:23»" }],
  [
    "page of notes",
    {
      parent: { database_id: "«uuid»" },
      properties: {
        Name: { title: [{ text: { content: "«text»" } }] },
        Key: { rich_text: [{ text: { content: "«id»" } }] },
      },
    },
  ],
  [
    "sheet",
    {
      spreadsheetId: "1«b64url:43»",
      values: [
        ["id", "name", "key"],
        ["«id»", "Anna", "A"],
      ],
    },
  ],
  ["base", { base: "app«alnum:14»", records: [{ id: "rec«alnum:14»", fields: { Ref: "«id»" } }] }],
  [
    "prompt",
    { prompt: "Never ask for passwords or API keys. «text»", previous_response_id: "resp_«hex:50»" },
  ],
  ["agent", { objective: "«text»", token_budget: 50_000, max_tokens: 4000, run_id: "«id»" }],
  ["webhook", { url: "https://acme.io/hooks/stripe", events: ["invoice.paid"], description: "«text»" }],
  [
    "request",
    {
      method: "POST",
      url: "https://api.acme.io/v2/orders/«id»",
      headers: { "idempotency-key": "«uuid»", "x-request-id": "«uuid»", "if-match": '"«hex:32»"' },
      body: '{"id":"«uuid»","note":"«safe»"}',
    },
  ],
  [
    "account",
    {
      id: "auth0|«hex:24»",
      must_change_password: true,
      password_expires_at: "2026-12-01",
      mfa: "totp",
      secret_question_set: false,
    },
  ],
  ["role", { role: "admin", permissions: ["tokens:read", "keys:write", "secrets:list"] }],
  [
    "key of a vault",
    { keyId: "«uuid»", keyRing: "prod", kmsKeyId: "arn:aws:kms:eu-west-1:«digits:12»:key/«uuid»" },
  ],
  [
    "reference of a secret",
    {
      secret_name: "prod/db",
      secretArn: "arn:aws:secretsmanager:eu-west-1:«digits:12»:secret:prod/db-«alnum:6»",
      version: "«uuid»",
    },
  ],
  [
    "translations",
    {
      locale: "de-CH",
      messages: {
        "auth.password": "Passwort",
        "auth.token": "Sicherheitscode",
        "auth.forgot_password": "Passwort vergessen?",
        "login.secret": "Geheime Antwort",
      },
    },
  ],
  [
    "schema",
    {
      schema: {
        type: "object",
        required: ["password"],
        properties: {
          password: { type: "string", format: "password", minLength: 12 },
          api_key: { type: "string", description: "Key from the dashboard", example: "your-api-key" },
        },
      },
    },
  ],
  [
    "order of keys",
    { sort: { key: "created_at" }, partition_key: "«id»", dedup_key: "«id»", routing_key: "«id»" },
  ],
  [
    "queue",
    {
      queue: "https://sqs.eu-west-1.amazonaws.com/«digits:12»/orders",
      MessageDeduplicationId: "«hex:64»",
      MessageGroupId: "«id»",
      ReceiptHandle: "AQEB«b64:180»==",
    },
  ],
  ["image", { prompt: "a red fox, seed 12345", init_image: "data:image/webp;base64,UklGR«bytes»", seed: 42 }],
  [
    "drawing",
    { path: "a.svg", content: '<svg viewBox="0 0 24 24"><path d="M12.5 3l-1.5-2" fill="#«hex:6»"/></svg>' },
  ],
  ["device", { device: "«HEX:12»", firmware: "«hex:64»", payload: "«hex:200»" }],
  ["session", { session_id: "«uuid»", conversation_id: "«id»", action: "end", user_agent: "Mozilla/5.0" }],
  ["event", { event: "password_reset_clicked", distinct_id: "«id»", properties: { token_source: "mail" } }],
  [
    "browser",
    { action: "fill", selector: "#password", frame: "«HEX:32»", description: "The password field" },
  ],
  ["memory", { key: "password_manager_in_use", value: "1Password" }],
  ["list", { items: ["rotate API keys", "change wifi password", "renew token for CI", "call Anna, «id»"] }],
  ["poll", { question: "Which password manager?", options: ["1Password", "Bitwarden"], key: "pm-2026" }],
];

/** So many calls, made from this seed: each kind in turn. */
export function* toolCallsOf(seed: number, count: number): Generator<{ kind: string; input: unknown }> {
  for (let index = 0; index < count; index++) {
    const [kind, input] = kinds[index % kinds.length] as (typeof kinds)[number];
    const maker = new InputMaker(seed * 1_000_003 + index * 101);
    yield { kind, input: maker.fill(input) };
  }
}

class InputMaker {
  #next: number;

  constructor(seed: number) {
    this.#next = seed;
  }

  fill(value: unknown): unknown {
    if (typeof value === "string") return this.#fillText(value);
    if (Array.isArray(value)) return value.map((item) => this.fill(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.fill(member)]));
  }

  #fillText(text: string): string {
    return text.replaceAll(/«([^»]+)»/g, (_, template: string) => this.#make(template));
  }

  #make(template: string): string {
    const seed = this.#next++;
    const pick = <T>(items: readonly T[]) =>
      items[(Math.imul(seed, 2_654_435_761) >>> 0) % items.length] as T;
    if (template === "bytes") return imageBytes(seed, 4000).toString("base64");
    if (template === "id") return sampleTemplate(pick(idKinds)[1], seed);
    if (template === "safe") return JSON.stringify(this.#fillText(pick(messages))).slice(1, -1);
    if (template === "text") return this.#fillText(pick(seed % 2 === 0 ? messages : ordinaryStrings));
    return sampleTemplate(`{${template}}`, seed);
  }
}
