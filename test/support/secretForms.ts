/**
 * Secrets in the forms that services and people give them. What is in angle brackets is made of random characters when a test runs: none is
 * real, and none stands in a file, so that nobody who looks for secrets finds one in this repository.
 */
import { createHash } from 'node:crypto';

const small = 'abcdefghijklmnopqrstuvwxyz';
const large = small.toUpperCase();
const digits = '0123456789';

/** The characters that stand in angle brackets, by what they are called there; how many of them, follows. */
const alphabets: Readonly<Record<string, string>> = {
  small,
  large,
  digits,
  base32: `${large}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  letters: small + large,
  hex: `${digits}abcdef`,
  word: small + large + digits,
  id: small + digits,
  ID: large + digits,
  url: `${small}${large}${digits}-_`,
  b64: `${small}${large}${digits}+/`,
  /** As a password manager makes them. */
  password: `${small}${large}${digits}!@#%^&*-_+?`,
};

/** A form with characters in their place, and those characters. The same seed makes the same. */
export function madeSecret(form: string, seed: number): { text: string; parts: string[] } {
  const parts: string[] = [];
  const text = form.replaceAll(/<(\w+) (\d+)>/g, (_, name: string, length: string) => {
    const alphabet = alphabets[name] ?? '';
    let part = '';
    for (let block = 0; part.length < Number(length); block++) {
      const bytes = createHash('sha512').update(`${form} ${seed} ${parts.length} ${block}`).digest();
      part += Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
    }
    part = part.slice(0, Number(length));
    // Few of so many characters have no digit; and what begins with a slash may be a path.
    parts.push(alphabet.includes('7') && !/\d/.test(part) ? `7${part.slice(1)}` : part.replace(/^\//, '7'));
    return parts.at(-1) ?? '';
  });
  return { text, parts };
}

/** Tokens that say by their beginning or their form which service made them. */
export const tokens = linesOf(String.raw`
<digits 10>:AA<url 33>
https://api.telegram.org/bot<digits 10>:AA<url 33>/sendMessage
gsk_<word 52>
xai-<word 80>
r8_<word 37>
sbp_<hex 40>
sb_secret_<url 22>_<url 8>
vcp_<word 56>
vck_<word 56>
vercel_blob_rw_<word 16>_<word 30>
VERCEL_TOKEN=<word 24>
figd_<url 40>
ntn_<digits 11><word 35>
secret_<word 43>
tskey-auth-<word 12>CNTRL-<word 32>
tskey-api-<word 12>CNTRL-<word 32>
tskey-client-<word 12>CNTRL-<word 32>
curl -u ada:<word 20> https://api.example.com
curl -s --user 'ada:<password 20>' https://api.example.com
machine api.example.com login ada password <word 20>
machine api.example.com\n  login ada\n  password <password 16>\n
sk-proj-<url 74>T3BlbkFJ<url 74>
sk-svcacct-<url 74>T3BlbkFJ<url 74>
sk-ant-api03-<url 93>AA
sk-ant-oat01-<url 93>AA
sk-or-v1-<hex 64>
sk-<hex 32>
AIzaSy<url 33>
ya29.<url 120>
GOCSPX-<url 28>
hf_<letters 34>
pplx-<word 48>
nvapi-<url 64>
fw_<word 24>
csk-<id 48>
tgp_v1_<url 43>
pcsk_<word 5>_<word 63>
jina_<hex 32><word 28>
lsv2_pt_<hex 32>_<hex 10>
sk-lf-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
tvly-dev-<word 32>
fc-<hex 32>
apify_api_<word 36>
e2b_<hex 40>
bb_live_<url 27>
ghp_<word 36>
github_pat_<word 22>_<word 59>
gho_<word 36>
ghs_<word 36>
glpat-<url 20>
glpat-<url 27>.01.<id 9>
xoxb-<digits 12>-<digits 13>-<word 24>
xapp-1-A<ID 10>-<digits 13>-<hex 64>
https://hooks.slack.com/services/T<ID 10>/B<ID 10>/<word 24>
https://discord.com/api/webhooks/<digits 19>/<url 68>
https://ada.webhook.office.com/webhookb2/<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>@<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>/IncomingWebhook/<hex 32>/<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
https://hooks.zapier.com/hooks/catch/<digits 7>/<id 7>/
client.login('MT<word 24>.G<word 5>.<url 38>');
DISCORD_TOKEN=MT<word 24>.G<word 5>.<url 38>
sk_live_<word 99>
rk_test_<word 99>
whsec_<word 32>
sq0csp-<url 43>
EAAA<url 60>
access_token$production$<id 16>$<hex 32>
pdl_live_apikey_<id 26>_<word 22>_<word 3>
polar_oat_<word 43>
shpat_<hex 32>
AKIA<base32 16>
ABSK<b64 120>
dop_v1_<hex 64>
npm_<word 36>
pypi-AgEIcHlwaS5vcmc<url 70>
rubygems_<hex 48>
cio<word 32>
oy2<id 43>
dckr_pat_<url 27>
dckr_oat_<url 32>
FlyV1 fm2_<b64 120>
rnd_<word 28>
nfp_<word 40>
HRKU-AA<url 58>
pscale_tkn_<url 43>
pscale_pw_<url 43>
napi_<id 64>
npg_<word 12>8x
lin_api_<word 40>
lin_oauth_<hex 64>
pat<word 14>.<hex 64>
PMAK-<hex 24>-<hex 34>
re_<word 8>_<word 24>
SG.<url 22>.<url 43>
key-<hex 32>
<hex 32>-us21
xkeysib-<hex 64>-<word 16>
SK<hex 32>
sntrys_eyJpYXQiO<b64 10>LCJyZWdpb25fdXJs<b64 10>_<b64 43>
sntryu_<hex 64>
NRAK-<ID 27>
glsa_<word 32>_<hex 8>
glc_eyJ<b64 80>
phx_<word 47>
pat-na1-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
pk_<digits 8>_<ID 32>
ATATT3<url 186>
ATCTT3<url 186>
ATBB<word 32>
CCIPAT_<word 22>_<hex 40>
bkua_<hex 40>
sqp_<hex 40>
squ_<hex 40>
hvs.<url 95>
hvb.<url 140>
ops_eyJ<b64 300>
dp.pt.<word 43>
dp.st.prd.<word 43>
pul-<hex 40>
<word 14>.atlasv1.<url 67>
dapi<hex 32>
<word 3>8Q~<url 34>
<word 76>AZDO<word 4>
CFPAT-<url 43>
sk.eyJ1Ijoi<word 60>.<url 22>
AGE-SECRET-KEY-1<bech32 58>
postgres://app:<word 24>@db.internal:5432/app
mongodb+srv://app:<word 24>@cluster0.ab1cd.mongodb.net/app
rediss://default:<word 40>@eu1-great-fish-12345.upstash.io:6379
amqps://app:<word 32>@rabbit.internal/app
https://x-access-token:<word 40>@github.com/ada/it.git
cloudinary://<digits 15>:<url 27>@ada
eyJhbGciOiJIUzI1NiJ9.eyJ<word 40>.<url 43>
Authorization: Basic <b64 40>
Authorization: Bearer <word 40>
Authorization: token <hex 40>
signkey-prod-<hex 64>
tr_prod_<word 20>
unkey_<word 24>
dub_<word 24>
sgp_<hex 40>
wandb_v1_<word 27>_<word 49>
tfp_<word 44>_<word 14>
sl.u.<url 140>
1//0<url 100>
EAAM<word 180>
figo_<url 40>
doo_v1_<hex 64>
`);

/** Secrets that are told by the name, the option or the command beside them, as people write them. */
export const assignments = linesOf(String.raw`
DATABASE_URL=postgres://app:<word 24>@db.internal:5432/app
REDIS_URL=rediss://default:<word 24>@redis.internal:6379
DB_PASSWORD=<word 20>
DB_PASS=<word 20>
DB_PWD=<word 20>
DB_PASSWD=<word 20>
DATABASE_PASSWORD="<password 20>"
PGPASSWORD=<password 20>
PGPASS=<word 20>
MYSQL_ROOT_PASSWORD=<word 20>
MYSQL_PWD=<word 20>
POSTGRES_PASSWORD=<password 16>
REDIS_PASSWORD=<word 32>
MONGO_INITDB_ROOT_PASSWORD=<word 20>
ELASTIC_PASSWORD=<word 20>
SMTP_PASS=<word 20>
SMTP_PASSWORD=<password 20>
MAIL_PASSWORD=<word 20>
EMAIL_HOST_PASSWORD='<password 20>'
GMAIL_APP_PASSWORD=<small 4> <small 4> <small 4> <small 4>
APPLE_APP_SPECIFIC_PASSWORD=<small 4>-<small 4>-<small 4>-<small 4>
SECRET_KEY=<word 50>
SECRET_KEY_BASE=<hex 128>
APP_KEY=base64:<b64 43>=
APP_SECRET=<hex 32>
SECRET_KEY = 'django-insecure-<password 50>'
NEXTAUTH_SECRET=<b64 43>=
AUTH_SECRET="<b64 43>="
BETTER_AUTH_SECRET=<word 32>
SESSION_SECRET=<hex 64>
COOKIE_SECRET=<hex 64>
COOKIE_KEY=<hex 64>
JWT_SECRET=<word 40>
JWT_SIGNING_KEY=<b64 43>=
ENCRYPTION_KEY=<hex 64>
WEBHOOK_SECRET=<word 32>
CRON_SECRET=<word 32>
HASH_SALT=<word 32>
PASSWORD_SALT=<hex 32>
PASSWORD_PEPPER=<word 32>
HMAC_KEY=<hex 64>
SIGNING_KEY=<b64 43>=
SIGNATURE_KEY=<b64 43>=
MASTER_KEY=<hex 32>
RAILS_MASTER_KEY=<hex 32>
MISTRAL_API_KEY=<word 32>
COHERE_API_KEY=<word 40>
TOGETHER_API_KEY=<hex 64>
DEEPGRAM_API_KEY=<hex 40>
ASSEMBLYAI_API_KEY=<hex 32>
ELEVENLABS_API_KEY=<hex 32>
AZURE_OPENAI_API_KEY=<word 84>
STABILITY_KEY=sk-<word 48>
NETLIFY_AUTH_TOKEN=<url 43>
RAILWAY_TOKEN=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
CLOUDFLARE_API_TOKEN=<url 40>
CF_API_KEY=<hex 37>
HEROKU_API_KEY=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
HCLOUD_TOKEN=<word 64>
LINODE_TOKEN=<hex 64>
VULTR_API_KEY=<ID 36>
SCW_SECRET_KEY=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
AWS_SECRET_ACCESS_KEY=<b64 40>
AWS_SESSION_TOKEN=<b64 200>
AZURE_CLIENT_SECRET=<word 40>
ARM_CLIENT_SECRET=<word 40>
GOOGLE_CLIENT_SECRET=<word 24>
GITHUB_CLIENT_SECRET=<hex 40>
GITHUB_PAT=<hex 40>
GH_PAT=<hex 40>
AZURE_DEVOPS_EXT_PAT=<id 52>
BITBUCKET_APP_PASSWORD=<word 20>
DISCORD_BOT_TOKEN=MT<word 24>.<word 6>.<url 27>
DISCORD_CLIENT_SECRET=<url 32>
TWITCH_CLIENT_SECRET=<id 30>
SPOTIFY_CLIENT_SECRET=<hex 32>
SLACK_SIGNING_SECRET=<hex 32>
TWILIO_AUTH_TOKEN=<hex 32>
MAILGUN_API_KEY=<hex 32>-<hex 8>-<hex 8>
POSTMARK_SERVER_TOKEN=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
MAILJET_SECRET_KEY=<hex 32>
ALGOLIA_ADMIN_KEY=<hex 32>
MEILI_MASTER_KEY=<url 43>
TYPESENSE_API_KEY=<word 32>
UPSTASH_REDIS_REST_TOKEN=<b64 54>
TURSO_AUTH_TOKEN=eyJhbGciOiJFZERTQSJ9.eyJ<word 40>.<url 86>
SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiJ9.eyJ<word 40>.<url 43>
SUPABASE_JWT_SECRET=<b64 86>==
AUTH0_CLIENT_SECRET=<url 64>
OKTA_CLIENT_SECRET=<url 64>
BRAINTREE_PRIVATE_KEY=<hex 32>
PLAID_SECRET=<hex 30>
PAYPAL_SECRET=<url 80>
COINBASE_API_SECRET=<b64 86>==
SENTRY_AUTH_TOKEN=<hex 64>
DD_API_KEY=<hex 32>
DATADOG_APP_KEY=<hex 40>
NEW_RELIC_LICENSE_KEY=<hex 36>NRAL
HONEYCOMB_API_KEY=<word 22>
LOGTAIL_SOURCE_TOKEN=<word 24>
SEGMENT_WRITE_KEY=<word 32>
AMPLITUDE_API_KEY=<hex 32>
CLOUDINARY_API_SECRET=<url 27>
PUSHER_SECRET=<hex 20>
PUSHER_APP_SECRET=<hex 20>
ABLY_API_KEY=<url 6>.<url 6>:<url 43>
ALCHEMY_KEY=<url 32>
INFURA_PROJECT_SECRET=<hex 32>
PRIVATE_KEY=0x<hex 64>
DEPLOYER_PRIVATE_KEY=<hex 64>
MNEMONIC="<small 5> <small 6> <small 4> <small 7> <small 5> <small 6> <small 4> <small 7> <small 5> <small 6> <small 4> <small 7>"
CODECOV_TOKEN=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
SONAR_TOKEN=<hex 40>
SNYK_TOKEN=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
CONSUL_HTTP_TOKEN=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
NGROK_AUTHTOKEN=<word 49>
TUNNEL_TOKEN=eyJhIjoi<word 120>
DOCKER_PASSWORD=<word 20>
DOCKER_PASS=<word 20>
KEYSTORE_PASS=<word 20>
SIGNING_KEY_PASSPHRASE=<word 24>
SSH_PASSPHRASE=<password 24>
GPG_PASSPHRASE='<password 24>'
BASIC_AUTH=ada:<word 24>
BOT_TOKEN=<digits 10>:AA<url 33>
export API_TOKEN=<word 32>
set API_KEY=<word 32>
$env:API_KEY = "<word 32>"
ENV NPM_TOKEN <word 32>
password: <word 20>
password: <password 20>
  db_password: "<password 20>"
  pass: <word 20>
  passphrase: <word 24>
  pwd: "<word 20>"
apiKey: <word 32>
api-key: <word 32>
accessToken: <word 40>
client_secret: <word 40>
clientSecret: "<url 40>"
privateKey: "<b64 60>"
jwtSecret: <word 32>
smtp_pass: <word 20>
webhook-secret: <word 32>
signing-key: <b64 43>=
bot_token: <digits 10>:AA<url 33>
credentials: <word 32>
encryption_key: <hex 64>
salt: "<word 32>"
cookieSecret: <word 32>
- name: DB_PASSWORD\n  value: "<word 24>"
- name: API_TOKEN\n  value: <word 24>
  - { name: SMTP_PASS, value: "<word 24>" }
"apiKey": "<word 32>"
"password": "<password 16>"
"dbPass": "<word 20>"
"client_secret": "<url 24>"
"secretAccessKey": "<b64 40>"
"refresh_token": "<url 60>"
"auth": "<b64 40>=="
"pass": "<word 20>"
"passphrase": "<password 24>"
"connectionString": "Server=db;Database=app;User Id=sa;Password=<word 20>;"
"ConnectionStrings": { "Default": "Host=db;Username=app;Pwd=<word 20>" }
{"name": "API_TOKEN", "value": "<word 32>"}
const apiKey = '<word 32>';
const password = '<password 16>';
const dbPass = "<word 20>";
let pwd = '<word 20>';
token: "<word 32>",
client = OpenAI(api_key="<word 48>")
password := "<password 16>"
String password = "<word 20>";
private static final String API_KEY = "<word 32>";
$password = '<password 16>';
define('DB_PASSWORD', '<password 16>');
config.secret_key_base = '<hex 128>'
ENV['API_TOKEN'] = '<word 32>'
os.environ["API_KEY"] = "<word 32>"
os.environ["SMTP_PASS"] = "<word 20>"
process.env.API_TOKEN = '<word 32>';
setenv("API_TOKEN", "<word 32>", 1);
headers: { 'X-API-Key': '<word 32>' }
headers.set('X-Auth-Token', '<word 32>');
requests.get(url, auth=('ada', '<word 20>'))
.auth('ada', '<word 20>')
new Client({ user: 'ada', password: '<word 20>' })
jdbc:mysql://db/app?user=app&password=<word 20>
mysql -u root -p<word 20> app
mysqldump --password=<word 20> app
sshpass -p '<word 20>' ssh ada@host
sshpass -p<word 20> ssh ada@host
docker login -u ada -p <word 20> registry.example.com
wget --user=ada --password=<word 20> https://example.com
tool --api-key <word 32> run
tool --token=<word 32> run
tool --password '<word 20>' run
PGPASSWORD=<word 20> psql -h db
//registry.npmjs.org/:_authToken=<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>
//registry.example.com/:_password=<b64 24>
_auth=<b64 40>=
<password><word 20></password>
<apiKey><word 32></apiKey>
<add key="ApiKey" value="<word 32>" />
<property name="password" value="<word 20>"/>
spring.datasource.password=<word 20>
password = "<word 20>"
IDENTIFIED BY '<word 20>'
ALTER USER app WITH PASSWORD '<word 20>';
CREATE ROLE app LOGIN PASSWORD '<password 16>';
requirepass <word 24>
masterauth <word 24>
rpcpassword=<word 24>
  psk="<password 16>"
PrivateKey = <b64 43>=
PresharedKey = <b64 43>=
TOTP_SECRET=<base32 32>
OTP_SEED=<base32 32>
define( 'AUTH_SALT',        '<password 64>' );
`);

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(String.raw`\n`, '\n'));
}
