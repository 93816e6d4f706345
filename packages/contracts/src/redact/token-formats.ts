// Formats that are recognisable wherever they stand, from their vendors' documentation. Each begins with a literal
// head (the index they are found by) and is bounded, so that no text can make the search slow.

/** `head` is literal, `tail` a pattern. `random`: the head is common, so what follows must also look machine-made. */
export type TokenFormat = {
  readonly kind: string;
  readonly head: string;
  readonly tail: string;
  readonly random: boolean;
  /** What may follow a tail that looks machine-made; so a long tail that does not is not read to its end. */
  readonly more?: string;
};

/**
 * A line is a kind, the least length of what follows the head, and the heads. After the length, `?` asks for a random
 * look, `.` lets dots and `+` lets base64's own characters into the tail.
 */
const headLines = `
simplefunctions_key 24 sf_live_ sf_test_
aws_key 32?+ ABSK bedrock-api-key- IQoJb3JpZ2lu FwoGZXIvYXdz
aws_key 26 da2-
amazon_token 32. amzn1.oa2-cs.v1. amzn.mws. Atza| Atzr|
google_key 30 AIza AQ.Ab
google_key 20. GOCSPX- ya29. 1//0
google_key 20?. 4/0A GOOG1E GOOG
azure_key 30 eyJrZXkiOi
azure_token 40.+ M.C IR@ git&
alibaba_key 12? LTAI STS.
tencent_key 13? AKID
baidu_key 20? ALTAK bce-v3/
volcengine_key 30? AKLT
upcloud_token 24 ucat_
digitalocean_token 32 dop_v1_ doo_v1_ dor_v1_ dos_v1_ doa_v1_
digitalocean_key 16 DO00
heroku_key 30 HRKU-
cloudflare_key 30+ cfut_ cfat_ cfk_ eyJhIjoi 0x4AAAA
fly_token 32+ fo1_ fm1a_ fm1r_ fm2_ FlyV1
render_key 20? rnd_
github_token 20 ghp_ gho_ ghu_ ghs_ ghr_ github_pat_
gitlab_token 16. glpat- gldt- glrt- glrtr- glptt- glcbt- glimt- glsoat- glffct- glagent- gloas- glft- glpa- glwt- GR1348941
atlassian_token 20?+ ATBB ATCTT ATATT ATSTT ATOA ATTA BBDC-
pypi_token 32 pypi-
rubygems_key 32 rubygems_
docker_config 20+ eyJhdXRocyI6
docker_token 20 dckr_pat_ dckr_oat_ dckrp_ SWMTKN-1- SWMKEY-1-
jfrog_token 40? AKCp cmVmd eyJ2ZXIiOiIyIiwidHlwIjoiSldUIiwiYWxnIjoi
circleci_token 20 CCIPAT_ CCIPRJ_
buildkite_token 24 bkua_ bkaj_ bkat_ bkct_ bkaa_ bkar_ bkpt_ bkps_
endor_token 16? endr+
snyk_token 30. snyk_uat. snyk_sat.
duffel_token 40 duffel_live_ duffel_test_
typeform_token 40 tfp_
sonar_token 30 sonp_ squ_ sqp_ sqa_ sqb_
sourcegraph_token 30 sgp_ sgd_ slk_
jetbrains_token 20.+ perm: perm-
anthropic_key 20 sk-ant-
openai_key 16 sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1- sk-or- sk-lf- sk-litellm- sk-let-
sk_key 18?+ sk- sk_
huggingface_token 28 api_org_
gitpod_token 40. gitpod_pat_
replicate_token 32 r8_
model_key 24 tvly-dev- tvly-prod-
pagerduty_token 36 pdus+_ pdeu+_
confluent_key 60+ cflt
linkedin_token 150? AQV AQX AQW
model_key 20? gsk_ xai- pplx- fw_ csk- co_ tgp_v1_ nvapi- jina_ lsv2_ ls__ fc- tvly- voy- pa- flp_ llx- e2b_ rpa_ as- ak- esecret_ m0- ste- hb_ pl_ tl_ up_ cr- fastgpt- luma- wandb_v1_ pcsk_ ek_ cog_
cursor_key 40? key_
stripe_key 16+ sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sk_org_ ek_live_ ek_test_
square_token 20? sq0atp- sq0csp- sq0idp- sq0isp- EAAA EAAl
paypal_token 30 A21AA
plaid_token 30 access-sandbox- access-development- access-production- link-sandbox- link-production- public-sandbox-
flutterwave_key 12 FLWSECK
shopify_token 24 shpat_ shpca_ shppa_ shpss_ shpua_ shpit_ shptka_ prtapi_ atkn_
razorpay_key 12 rzp_live_ rzp_test_
settlemint_token 16 sm_pat_ sm_aat_ sm_sat_
cockroach_key 40 CCDB1_
chromatic_token 15 chpt_
wakatime_key 32 waka_
stytch_secret 30 secret-live- secret-test-
openvsx_token 30 ovsxp_ ovsxat_
portainer_token 40+ ptr_
luma_key 60 luma-
dub_key 20? dub_ skey_ NF- shltm_
voiceflow_key 30. VF.
klarna_key 30+ klarna_
mercadopago_token 30 APP_USR-
midtrans_key 20 Mid-server- SB-Mid-server-
ebay_key 24 PRD- SBX-
easypost_key 40? EZAK EZTK
slack_token 10.+ xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxc- xoxd- xoxe- xoxe. xapp- xwfp-
sendgrid_key 40.+ SG.
mailchimp_key 20 md-
mailgun_key 32? key- pubkey-
sendinblue_key 50 xkeysib- xsmtpsib-
mailersend_token 40 mlsn.
postman_key 24 PMAK- PMAT-
twitch_token 30? oauth:
twitter_token 60+ AAAAAAAAAAAAAAAAAAAA
instagram_token 60? IGAA
pinterest_token 40 pina_
vk_token 60 vk1.a.
firebase_key 60 APA91b
discord_token 60 mfa.
matrix_token 20? syt_
riot_key 30 RGAPI-
databricks_token 32? dapi dkea dose
hashicorp_token 24?. hvs. hvb. hvr. b. r.
grafana_token 30+ glc_ glsa_ eyJrIjoi
newrelic_key 16 NRAK- NRII- NRJS- NRRA- NRAA- NRIQ- NRSP- NRBR-
sentry_token 32+ sntrys_ sntryu_ sntrya_ sntryi_
dynatrace_token 20. dt0a01. dt0c01. dt0e01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16. dt0v01.
elastic_key 30+ essu_ eyJ2ZXIiOiI4
axiom_token 30 xaat- xapt-
honeycomb_key 40.+ hcaik_ hcxmk_ hcxik_ hcalk_
pulumi_token 32 pul-
doppler_token 24. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.
infisical_token 40. st.
planetscale_token 24. pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_oat_
supabase_key 20 sbp_ sb_secret_
neon_key 30? napi_
aiven_password 16 AVNS_
vercel_token 20 vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_
netlify_token 24 nfp_ nfc_ nfo_ nfb_ nfu_
harness_token 40. pat. sat.
notion_token 30? secret_ ntn_
linear_key 24 lin_api_ lin_oauth_ lin_wh_
figma_token 20 figd_ figu_ figo_ figp_ figuh_ figdh_ figor_ figoh_ figur_ figuT_
frameio_token 40 fio-u-
canva_secret 40? cnvca
adobe_secret 32 p8e-
ubidots_token 30? BBFF-
miro_token 20 eyJtaXJvLm9yaWdpbiI6
mapbox_token 40.? sk. tk.
locationiq_token 32? pk.
salesforce_token 40.? 5Aep861 3MVG
pubnub_key 30+ sec-c- pub-c- sub-c-
age_key 20 AGE-SECRET-KEY-1 AGE-PLUGIN-
onepassword_token 24+ ops_eyJ
tailscale_key 16 tskey-
openshift_token 40 sha256~
swarm_token 20 kubeconfig-
laravel_key 40+ base64:
paseto_token 40. v1.local. v2.local. v3.local. v4.local. v1.public. v2.public. v3.public. v4.public.
asp_cookie 60? CfDJ8
yandex_key 30?. AQVN y0_ AQAAAA t1. pdct.1.1. trnsl.1.1. dict.1.1.
tinkoff_token 60? t.
wallet_key 50? xprv yprv zprv tprv suiprivkey1 nsec1 edsk ed25519-priv-0x ed25519:
lightning_macaroon 60 0201036c6e64
private_key_body 60+ MIGHAgEAMBMGByqGSM49 MIIEvQIBADANBgkqhkiG9w0BAQ MC4CAQAwBQYDK2VwBCIEI MIIEpAIBAAKCAQEA MIIEowIBAAKCAQEA
private_key_body 60+ LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0t LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtF LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZB dW50cnVzdGVkIGNvbW1lbnQ6IHJzaWdu RWRTY0Iy RWRCSwAAAA
wrapped_jwt 60+ ZXlKaGJHY2lPa ZXlKMGVYQWlPa ZXlKcmFXUWlPa
tor_key 60+ ED25519-V3:
palo_alto_key 60?+ LUFRPT1
basecamp_token 60?+ BAhb
neptune_token 60+ eyJhcGlfYWRkcmVzcyI6
hubspot_key 30 pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-
launchdarkly_key 30? sdk- mob- api- rel-
contentful_token 30 CFPAT-
inngest_key 30 signkey-
databento_key 20? db- CG- QN_ LT_ ES_ AIK_ hawk. ser. tkn.v1_ configcat-sdk-1/ b10ck5.
coinbase_key 30? cb_ organizations/
infracost_key 20? ico- dnkey- cli- gk- qts- bpk- tk- nf- account- sc_ midi- web_ midi-662b69edd2 s-s4t2ud- s-s4t2af-
`;

/** Where an id or a token of letters and digits ends. */
const noMore = "(?![A-Za-z0-9_+/-]|%2[BFbf])";

/** Formats whose structure says more than a head and a length. */
const structured: readonly (readonly [kind: string, head: string, tail: string])[] = [
  // AIDA, AROA and others begin the ids of users, roles and groups, which open nothing.
  ...["AKIA", "ASIA", "ABIA", "ACCA", "A3T"].map(
    (head) => ["aws_key", head, "[A-Z0-9]{16,17}(?![A-Za-z0-9])"] as const,
  ),
  // Heads of so few letters are met in any base64 and in many ids: what follows is told exactly.
  ["scaleway_key", "SCW", `[A-Z0-9]{17}${noMore}`],
  ["exoscale_key", "EXO", `[0-9a-f]{24}${noMore}`],
  ["cargo_token", "cio", `[A-Za-z0-9]{32}${noMore}`],
  ["nuget_key", "oy2", `[a-z0-9]{43}${noMore}`],
  ["resend_key", "re_", `[A-Za-z0-9]{8}_[A-Za-z0-9]{24}${noMore}`],
  ["telnyx_key", "KEY", `[0-9A-Fa-f]{32}_[A-Za-z0-9_-]{22}`],
  ["hashicorp_token", "s.", `[A-Za-z0-9]{24}${noMore}`],
  ["airtable_token", "pat", String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`],
  ["salesforce_token", "00D", "[A-Za-z0-9]{12,15}![A-Za-z0-9._]{40,256}"],
  ["rancher_token", "K10", "[0-9a-f]{64}::[A-Za-z0-9:._-]{8,128}"],
  ...["SU", "SA", "SO", "SN", "SC", "SX"].map(
    (head) => ["nats_seed", head, `[A-Z2-7]{56}${noMore}`] as const,
  ),
  ["npm_token", "npm_", `[A-Za-z0-9]{30,40}${noMore}`],
  ["huggingface_token", "hf_", `[A-Za-z0-9]{28,40}${noMore}`],
  ["wallet_key", "6P", `[1-9A-HJ-NP-Za-km-z]{56}${noMore}`],
  ["yandex_key", "YC", `[A-Za-z0-9_-]{38}${noMore}`],
  ["signalwire_token", "PT", `[0-9a-f]{48}${noMore}`],
  ["beamer_key", "b_", `[A-Za-z0-9_-]{43}=`],
  ["bitly_key", "R_", `[0-9a-f]{32}${noMore}`],
  ["adyen_key", "AQE", "[A-Za-z0-9+/]{40,120}-[A-Za-z0-9+/]{20,80}={0,2}-[^\\s\"'`]{10,40}"],
  ["facebook_token", "EAA", `[A-Za-z0-9]{100,400}${noMore}`],
  ["instagram_token", "IGQ", `[A-Za-z0-9_-]{100,400}${noMore}`],
  ["mailsac_key", "k_", `[A-Za-z0-9]{36,44}${noMore}`],
  ...["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"].map(
    (head) => ["uptimerobot_key", head, `[0-9]{4,8}-[0-9a-f]{24,32}${noMore}`] as const,
  ),
  ["clickup_token", "pk_", "[0-9]{4,12}_[A-Z0-9]{32}"],
  ["openai_key", "sess-", "[A-Za-z0-9]{36,64}(?![A-Za-z0-9-])"],
  ["klaviyo_key", "pk_", "[0-9a-f]{34}(?![A-Za-z0-9])"],
  ["courier_token", "pk_", "(?:prod|test)_[A-Z0-9]{28}(?![A-Za-z0-9])"],
  ["twitch_key", "live_", "[0-9]{6,12}_[A-Za-z0-9]{28,32}"],
  ["unkey_key", "unkey_", "[A-Za-z0-9]{20,32}(?![A-Za-z0-9_])"],
  ["arcjet_key", "ajkey_", "[a-z0-9]{26}"],
  ["socket_key", "sktsec_", "[A-Za-z0-9_-]{40,80}"],
  ["confident_key", "confident_", "(?:us|eu)_(?:proj|org)_[A-Za-z0-9_-]{40,60}=?"],
  ["zoho_token", "1000.", "[0-9a-f]{32}\\.[0-9a-f]{32}"],
  ["twilio_key", "SK", "[0-9A-Fa-f]{32}(?![A-Za-z0-9])"],
  ...["sc_", "ext_", "scauth_", "authress_"].map(
    (head) =>
      [
        "authress_key",
        head,
        "[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}",
      ] as const,
  ),
  ["dingtalk_secret", "SEC", "[0-9a-f]{64}(?![A-Za-z0-9])"],
  ["okta_token", "00", `[A-Za-z0-9_-]{40}${noMore}`],
  ["linkedin_secret", "WPL_AP", "[0-9]\\.[A-Za-z0-9_.+=-]{10,64}"],
  ["dropbox_token", "sl.", "[A-Za-z0-9_-]{100,200}"],
  ["asana_token", "0/", "[0-9]{12,20}:[A-Za-z0-9]{32}|[0-9a-f]{32}"],
  ["asana_token", "2/", "[0-9]{12,20}(?::|/[0-9]{12,20}:)[A-Za-z0-9]{32}"],
  ["asana_token", "1/", "[0-9]{12,20}(?::|/[0-9]{12,20}:)[A-Za-z0-9]{32}"],
  ["stripe_client_secret", "pi_", "[A-Za-z0-9]{16,32}_secret_[A-Za-z0-9]{16,40}"],
  ["stripe_client_secret", "seti_", "[A-Za-z0-9]{16,32}_secret_[A-Za-z0-9]{16,40}"],
  ["puppet_secret", "ENC[", "(?:PKCS7|GPG),[A-Za-z0-9+/=]{40,4096}\\]"],
  ...["{AQAAABAAAA", "{ AQAAABAAAA"].map(
    (head) =>
      [
        "jenkins_secret",
        head,
        String.raw`(?:[A-Za-z0-9+/\s]|\\{1,4}[rn]){20,4096}={0,2}(?:\s|\\{1,4}[rn]){0,4}\}`,
      ] as const,
  ),
  [
    "password_hash",
    "$argon2",
    "(?:id|i|d)\\$v=[0-9]+\\$m=[0-9]+,t=[0-9]+,p=[0-9]+\\$[A-Za-z0-9+/]+\\$[A-Za-z0-9+/]+",
  ],
  ["password_hash", "$2", "[abxy]?\\$[0-9]{2}\\$[A-Za-z0-9./]{53}"],
  ["password_hash", "$6$", "[A-Za-z0-9./=$]{60,140}"],
  ["password_hash", "$5$", "[A-Za-z0-9./=$]{40,140}"],
  ["password_hash", "$1$", "[A-Za-z0-9./]{1,8}\\$[A-Za-z0-9./]{22}"],
  ["password_hash", "$$apr1$$", "[A-Za-z0-9./]{1,8}\\$\\$[A-Za-z0-9./]{22}"],
  ["password_hash", "$apr1$", "[A-Za-z0-9./]{1,8}\\$[A-Za-z0-9./]{22}"],
  ["password_hash", "$y$", "[A-Za-z0-9./]{1,8}\\$[A-Za-z0-9./]{1,64}\\$[A-Za-z0-9./]{40,64}"],
  ["paypal_token", "access_token$", "[a-z]+\\$[a-z0-9]{10,20}\\$[a-f0-9]{32}"],
  ["cloudflare_key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{100,200}"],
  ["onepassword_key", "A3-", "[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}"],
  ["bitwarden_token", "0.", "[0-9a-f]{8}-[0-9a-f-]{27}\\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,30}"],
  // Digests begin like that, too; of these keys none is all hex.
  ["clickhouse_key", "4b1d", "(?![0-9a-f]{38})[A-Za-z0-9]{38}(?![A-Za-z0-9])"],
  ["django_key", "django-insecure-", "[^\\s\"'`]{30,80}"],
  ["roblox_cookie", "_|WARNING:-DO-NOT-SHARE-THIS.", "[^\\s\"']{40,2048}"],
  ["ebay_token", "v^1.1#", "[A-Za-z0-9#^+/=]{60,2048}"],
  ["asaas_key", "$aact_", "[A-Za-z0-9_=:+/-]{30,512}"],
];

export const tokenFormats: readonly TokenFormat[] = [
  ...structured.map(([kind, head, tail]) => ({ kind, head, tail, random: false })),
  ...headLines.trim().split("\n").flatMap(parseLine),
].toSorted((a, b) => b.head.length - a.head.length);

function parseLine(line: string): TokenFormat[] {
  const [kind = "", length = "", ...heads] = line.split(" ");
  const least = Number.parseInt(length, 10);
  const more = `${length.includes(".") ? ".:!" : ""}${length.includes("+") ? "+/=:@&%" : ""}`;
  const chars = `[A-Za-z0-9_${more}-]`;
  if (!length.includes("?"))
    return heads.map((head) => ({ kind, head, tail: `${chars}{${least},2048}=*`, random: false }));
  const tail = `${chars}{${least},${Math.max(least, 64)}}`;
  return heads.map((head) => ({ kind, head, tail, random: true, more: `${chars}{0,2048}=*` }));
}
