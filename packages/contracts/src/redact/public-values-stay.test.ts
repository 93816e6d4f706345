// What is public, what only refers to a secret, and what names one, stays: under telling names in values, and in texts.
import { describe, expect, test } from "vitest";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redact } from "./redact.ts";
import { redactText } from "./redact-text.ts";

const secrets = new SecretRegistry();
const b64 = (length: number, seed = 1) => sampleTemplate(`{b64:${length}}`, seed);
const ed25519 = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${b64(43)} ada@laptop`;
const rsa = `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${b64(372)}`;
const ecdsa = `ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB${b64(88)}`;
const der = `MIIDdzCCAl+gAwIBAgIE${b64(900)}`;
const certificate = `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
const publicKey = `-----BEGIN PUBLIC KEY-----\n${b64(64)}\n${b64(60)}\n-----END PUBLIC KEY-----\n`;

describe("stays in values:", () => {
  test.each<[string, unknown]>([
    ["a public key of SSH", { title: "ci", key: ed25519, read_only: true }],
    ["one of RSA", { KeyName: "ci", PublicKeyMaterial: rsa }],
    ["one of ECDSA", { sshKey: ecdsa }],
    ["authorized keys", { key: `${ed25519}\n${rsa} bob@desk\n` }],
    ["a certificate", { certificate, cert: certificate, chain: certificate + certificate }],
    ["a certificate in DER", { certificate: der }],
    ["a public key in PEM", { public_key: publicKey, key: publicKey, signingKey: publicKey }],
    [
      "a set of public JSON Web Keys",
      {
        keys: [
          {
            kty: "RSA",
            kid: sampleTemplate("{b64url:43}", 1),
            n: sampleTemplate("{b64url:342}", 1),
            e: "AQAB",
          },
          {
            kty: "EC",
            crv: "P-256",
            x: sampleTemplate("{b64url:43}", 2),
            y: sampleTemplate("{b64url:43}", 3),
          },
        ],
      },
    ],
    ["a variable in a header", { headers: { Authorization: "Bearer ${ACME_TOKEN}" } }],
    [
      "one in a template",
      { headers: { authorization: "Bearer {{ api_token }}", "X-API-Key": "{{secrets.API_KEY}}" } },
    ],
    ["one of a shell", { Authorization: "token $GITHUB_TOKEN", apiKey: "$API_KEY" }],
    [
      "one of an environment",
      { env: { API_TOKEN: "${env:API_TOKEN}", NPM_TOKEN: "${{ secrets.NPM_TOKEN }}" } },
    ],
    ["a stand-in", { Authorization: "Bearer <token>", apiKey: "<your-api-key>" }],
    ["the name of a secret in a cluster", { auth: { existingSecret: "web-auth", existing_secret: "web" } }],
    ["the key of a project", { projectKey: "web", project_key: "SEC", userKey: "ada" }],
    ["a token that makes a request idempotent", { ClientToken: sampleTemplate("{uuid}", 1) }],
    ["one that is called so", { ClientRequestToken: "deploy-2026-11-19", idempotencyToken: "order-7" }],
    ["no token", { sessionToken: "none", token: "", apiKey: "null" }],
    [
      "a variable that has to be set",
      { POSTGRES_PASSWORD: "${POSTGRES_PASSWORD:?}", DB_PASSWORD: "${DB_PASSWORD:-}" },
    ],
    ["what a command reads", { API_KEY: "$(cat /run/secrets/api_key)" }],
    ["the name of a secret in a vault", { SecretId: "prod/db", secretKey: "password" }],
    ["a service of Twilio", { ServiceSid: `VA${sampleTemplate("{hex:32}", 1)}` }],
    ["cookies that open nothing", { headers: { cookie: "theme=dark; lang=de" } }],
    ["the progress of a call", { _meta: { progressToken: sampleTemplate("{uuid}", 2) } }],
    [
      "where a list goes on",
      { StartingToken: b64(40), resourceKey: `0-${sampleTemplate("{b64url:22}", 1)}` },
    ],
    ["a passkey", { excludeCredentials: [{ id: sampleTemplate("{b64url:43}", 1), type: "public-key" }] }],
    [
      "what is hidden already",
      { password: "********", apiKey: "sk_live_************abcd", token: "sk-...3fQ9" },
    ],
    [
      "a key of OpenPGP",
      {
        key: `-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: GnuPG v2\n\n${b64(64)}\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n`,
      },
    ],
    ["how to sign in", { authorization: "required", authentication: "basic", credentials: "same-origin" }],
    ["names of headers", { rename: { "x-api-key": "authorization", cookie: "x-cookie" } }],
    ["names of secrets", { secrets: ["db", "api"], jobs: [{ secrets: "inherit" }] }],
    ["a license", { licenseKey: "mit" }],
    [
      "files and events",
      {
        s3Key: `a/${sampleTemplate("{uuid}", 1)}.png`,
        eventKey: sampleTemplate("{uuid}", 2),
        business_key: sampleTemplate("{hex:32}", 2),
      },
    ],
    ["what a search has counted", { buckets: [{ key: sampleTemplate("{hex:24}", 2), doc_count: 2 }] }],
    ["a file of a drawing", { file_key: sampleTemplate("{alnum:22}", 1) }],
    ["an entry of a list of Firebase", { key: "-NLUkG6ioXJbKpoLGsxU" }],
    ["a coin in the arguments of a call", { arguments: '{"token":"ETH","amount":2}' }],
  ])("%s", (_, value) => {
    expect(redact(value, { secrets })).toStrictEqual(value);
  });
});

describe("stays in texts:", () => {
  test.each([
    `key=${ed25519}`,
    `"key": "${rsa}"`,
    `sshKey: ${ecdsa}`,
    `certificate=${der} took=12ms`,
    "DATABASE_URL=postgres://user:password@localhost:5432/app",
    "postgres://username:pass@db.example.com/app",
    "redis://USER:PASSWORD@HOST:6379",
    "API_TOKEN=<your token>\nSESSION_TTL=3600\n",
    "API_TOKEN=<token>\nSESSION_TTL=3600\n",
    `GET /keys?sshKey=${encodeURIComponent(ed25519)}&x=1`,
    'await login({ email: "a@b.c", password: "wrong" });',
    "export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxx",
    "AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX",
    "SMTP_PASSWORD=changeme",
    "srv-sixsoa89j3lqlflsbgph",
    "b!wrVe_XSNjJnapPCbUPVhhHnOPui6uLedmf1iUCHOz1YLFbCLLEG3-Nmu7RYyW1yO",
    "GET /v1/files?key=uploads%2F2026%2Fd64178b3-fa5a-46af-b188-32ba58ed5a30%2Fphoto.jpg&x=1",
    "GET /x?SecretArn=arn%3Aaws%3Asecretsmanager%3Aus-east-1%3A568457623358%3Asecret%3Aprod%2Fdb-RintEY&x=1",
    '{"token":"ETH","amount":2}',
  ])("%s", (text) => {
    expect(redactText(text, { secrets })).toBe(text);
  });
});

describe("is hidden all the same:", () => {
  const secret = sampleTemplate("{alnum:32}", 5);
  test.each<[string, unknown]>([
    ["behind a scheme", { Authorization: `Bearer ${secret}` }],
    ["in the form of a variable", { Authorization: `Bearer \${${secret}}`, apiKey: `{{${secret}}}` }],
    ["beside one", { apiKey: `\${X}${secret}` }],
    ["behind a public key", { key: `${ed25519} ${secret}\npassword=${secret}` }],
    [
      "a private key, called a certificate",
      { certificate: `MIIEvQIBADANBgkqhkiG9w0BAQ${secret}${b64(900)}` },
    ],
    ["the private half of a key", { keys: [{ kty: "EC", d: secret }] }],
    ["under another name in such a key", { keys: [{ kty: "EC", token: secret }] }],
    ["the key of a project", { projectKey: secret }],
    ["one among secrets", { secrets: [secret] }],
    ["what is hidden under a plain name", { secret: { to: secret }, nested: { secrets: [{ to: secret }] } }],
    ["half of a login to a vault", { secret_id: sampleTemplate("{uuid}", 3).replace(/.{12}$/, secret) }],
    ["a default of a variable", { password: `\${PASSWORD:-${secret}}`, token: `$(echo ${secret})` }],
    ["a session among cookies", { cookie: `theme=dark; lang=${secret}` }],
    ["what little is masked", { apiKey: `***${secret}` }],
    ["beside a passkey", { credentials: [{ type: "public-key", token: secret }] }],
    ["a client's token", { clientToken: secret }],
    ["a password in an address", { url: `postgres://user:${secret}@localhost/app` }],
    ["a render key", { url: `https://api.render.com/deploy/srv-sixsoa89j3lqlflsbgph?key=${secret}` }],
  ])("%s", (_, value) => {
    expect(JSON.stringify(redact(value, { secrets }))).not.toContain(secret);
  });
});
