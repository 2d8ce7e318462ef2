/**
 * Forms of secrets that the list of secretRules.ts lacks: those that need no service, and tokens that it knows only beside the name of
 * their service, which is seldom near to them, or not at all, since they are newer than it.
 */
import { within } from '../budget.ts';
import type { SecretRule } from './secretRules.ts';

/** What stands for itself in any text: in an address, in a header, or as the beginning of a token. */
export const formRules: readonly SecretRule[] = [
  ['://', within(1_000, /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:'"<>`]{0,100}:([^\s/@'"<>`${}()]{3,200})@/i), 2.5],
  ['bearer basic', within(1_000, /\b(?:bearer|basic)[ \t]+((?=[\w.~+/-]{0,300}\d)[\w.~+/-]{16,500}=*)/i), 3],
  ['authorization', within(1_000, /authorization["']?[:=, \t]{1,5}["'`]?(?:token|bot|key|apikey|sso-key)[ =]((?=[\w.~+/-]{0,300}\d)[\w.~+/-]{16,500}=*)/i), 3],
  ['xox', within(1_000, /(?<![\w-])(xox[abeoprs]-[\w-]{10,300})/), 2],
  ['sk- sk_ rk_', within(1_000, /(?<![\w-])((?:sk-(?!ecdsa-|ssh-)|[sr]k_(?:live|test|prod)_)[\w-]{16,300})/), 3],
  ['eyj', within(1_000, /(?<![\w-])(eyJ[\w-]{8,500}\.[\w-]{8,500}\.[\w-]{0,500})/), 3],
  ['accountkey sharedaccess', within(1_000, /(?:AccountKey|SharedAccessKey|SharedAccessSignature)=([\w+/%-]{20,200}={0,2})/i), 3],
  ['kind: secret', within(1_000, /^kind: Secret\s[^]{0,700}?^(?:data|stringData):\s+\S|^(?:data|stringData):\s[^]{0,700}?^kind: Secret\s/m), 0],
  ['putty-user-key', within(1_000, /(PuTTY-User-Key-File-\d: )/), 0],
  ['b3blbnnzac1rzxktdje', within(1_000, /(b3BlbnNzaC1rZXktdjE[\w+/]{16,500})/), 0],
]; // prettier-ignore

/** What services make. Their words are looked for together with those of secretRules.ts: run tools/secretRules.ts after a change. */
export const serviceRules: readonly SecretRule[] = [
  // Addresses to which anybody can send who knows them.
  ['hooks.slack.com', within(1_000, /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w+/-]{20,100})/), 2],
  ['/api/webhooks/', within(1_000, /discord(?:app)?\.com\/api\/webhooks\/(\d{17,20}\/[\w-]{60,80})/), 3],
  ['hooks.zapier.com', within(1_000, /hooks\.zapier\.com\/hooks\/catch\/(\d{4,10}\/[a-z0-9]{5,10})/), 2],
  // Tokens that begin with a word of their service.
  [
    'gsk_ xai- r8_ sbp_ sb_secret_ vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_ figd_ figo_ tskey- gocspx- nvapi- csk- tgp_v1_ pcsk_ jina_ lsv2_ tvly- apify_api_ bb_live_ whsec_ sq0csp- _apikey_ polar_ dckr_ nfp_ napi_ lin_oauth_ phx_ atctt3 atbb ccipat_ ccprj_ bkua_ sqa_ sqp_ squ_ dp.st. cfpat- signkey- wandb_v1_ ya29. 1//0 sl.u.',
    within(1_000, /(?<![\w+/-])((?:gsk_|xai-|r8_|sbp_|sb_secret_|vc[aikpr]_|vercel_blob_rw_|fig[do]_|tskey-(?:auth|api|client|scim|webhook)-|GOCSPX-|nvapi-|csk-|tgp_v1_|pcsk_|jina_|lsv2_[ps][kt]_|tvly-|apify_api_|bb_live_|whsec_|sq0csp-|pdl_(?:live|sdbx)_apikey_|polar_(?:oat|pat|whs)_|dckr_[op]at_|nfp_|napi_|lin_oauth_|phx_|ATCTT3|ATBB|CCIPAT_|CCIPRJ_|bkua_|sq[apu]_|dp\.st\.|CFPAT-|signkey-|wandb_v1_|ya29\.|1\/\/0|sl\.u\.)(?=[\w.-]{0,100}\d)[\w.-]{20,400})/),
    3.2,
  ],
  [
    'secret_ tfp_ fw_ fc- e2b_ rnd_ npg_ re_ pk_ key- nrak- tr_ unkey_ dub_ pat-',
    within(1_000, /(?<![\w-])(secret_(?=[a-zA-Z]{0,42}\d)[A-Za-z0-9]{43}|tfp_[A-Za-z0-9]{40,50}_[A-Za-z0-9]{10,20}|fw_(?=[a-zA-Z]{0,23}\d)[A-Za-z0-9]{24}|fc-[a-f0-9]{32}|e2b_[a-f0-9]{40}|rnd_(?=[a-zA-Z]{0,27}\d)[A-Za-z0-9]{28,40}|npg_(?=[a-zA-Z]{0,11}\d)[A-Za-z0-9]{12,32}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}|pk_\d{7,9}_[A-Z0-9]{32}|key-[a-f0-9]{32}|NRAK-[A-Z0-9]{27}|tr_(?:dev|prod|stg|pat)_(?=[a-zA-Z]{0,19}\d)[A-Za-z0-9]{20,40}|(?:unkey|dub)_(?=[a-zA-Z]{0,23}\d)[A-Za-z0-9]{24}|pat-(?:na|eu|ap)\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12})(?![\w-])/),
    3,
  ],
  // Tokens that are told by how long their parts are.
  [':aa', within(1_000, /(?<!\d)(\d{8,10}:AA[\w-]{33})(?![\w-])/), 3.5], // Telegram
  ['discord token bot login', within(1_000, /(?<![\w.-])([MNO][A-Za-z\d]{22,27}\.[\w-]{6}\.[\w-]{27,40})(?![\w.-])/), 4], // Discord
  ['ably', within(1_000, /(?<![\w.-])([\w-]{6}\.[\w-]{6}:[\w-]{43})(?![\w-])/), 4],
  ['access_token$', within(1_000, /access_token\$(?:production|sandbox)\$([a-z0-9]{16}\$[a-f0-9]{32})/), 3], // Braintree
  ['-us', within(1_000, /(?<![\w-])([a-f0-9]{32}-us\d{1,2})(?![\w-])/), 3], // Mailchimp
  ['pat', within(1_000, /(?<![\w-])(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})(?![\w-])/), 3.5], // Airtable
  ['cio oy2', within(1_000, /(?<![\w+/=-])(cio(?=[a-zA-Z]{0,31}\d)[A-Za-z0-9]{32}|oy2[a-z0-9]{43})(?![\w+/=-])/), 3.5], // crates.io, NuGet
  ['azdo', within(1_000, /(?<!\w)([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?!\w)/), 3.5],
  ['sk.eyj', within(1_000, /(?<![\w-])(sk\.eyJ1Ijoi[\w-]{20,300}\.[\w-]{22})(?![\w-])/), 3.5], // Mapbox
  // Passwords of accounts, in groups of letters.
  ['app', within(1_000, /app\w{0,20}[_-]?passw(?:or)?d["']?\s{0,3}[:=]\s{0,3}["']?([a-z]{4}([ -])[a-z]{4}\2[a-z]{4}\2[a-z]{4})(?![\w-])/i), 2.5],
  ['mnemonic phrase', within(1_000, /(?:mnemonic|(?:seed|recovery)[ _-]?phrase)["']?\s{0,3}[:=]\s{0,3}["'`]((?:[a-z]{3,8} ){11,23}[a-z]{3,8})["'`]/i), 3.3],
]; // prettier-ignore

/**
 * What stands beside a name that sounds like a secret, an option, or a word of a command. Of these a value has to look like one itself,
 * instead of the long list of words that gitleaks has for names like api_key.
 */
export const nameRules: readonly SecretRule[] = [
  ['access auth api credential creds key passw passphrase secret token', within(1_000, /(?:access|auth|api|credential|creds|key|passw(?:or)?d|passphrase|secret|token)[ \t\w.-]{0,20}[\s'"\])]{0,4}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,(?=\s{0,5}[`'"]))[`'"\s=]{0,5}(?:([\w.=-]{10,150}|(?:base64:)?[a-z0-9+][a-z0-9+/]{11,150}={0,3})(?:[`'"\s;<]|\\[nr]|$)|([\w+/]{150}))/i), 3.5],
  // Shorter words, which must be words of their own: PATH is none.
  ['pass pwd pat salt pepper seed', within(1_000, /(?:(?<![A-Za-z])(?:pass|pwd|pat|salt|pepper|seed)(?![a-z])|(?:(?<![A-Z])|PG)(?:PASS|PWD|PAT|SALT|PEPPER|SEED)(?![A-Za-z])|(?:Pass|Pwd|Pat|Salt|Pepper|Seed)(?![a-z]))[\w.-]{0,20}['"\])]{0,3}[ \t]{0,3}(?:=>|:=|=|(?<!:):(?!:)|,(?=[ \t]{0,10}["'`]))[ \t]{0,10}["'`]?([\w.=-]{10,150}|[A-Za-z0-9][A-Za-z0-9+/]{11,150}={0,3})(?:[`'"\s;<]|\\[nr]|$)/), 3.5],
  // Passwords have all kinds of signs.
  ['passw passphrase pass pwd secret salt', within(1_000, /(?:passw(?:or)?d|passphrase|(?<![a-z])(?:pg)?(?:pass|pwd)(?![a-z])|secret[_-]?key|salt)['"\])]{0,3}[ \t]{0,3}(?:=>|:=|=|(?<!:):(?!:)|,(?=[ \t]{0,10}["'`]))[ \t]{0,10}(?:["'`]([^\s"'`\\]{10,150})["'`]|([^\s"'`<>$(){}[\]\\,;]{10,150})[ \t]*(?:[\r\n]|$))/i), 3.3],
  // Two lines, or attributes, of which one has the name and the other the value.
  ['value', within(1_000, /(?:name|key|id)["']?\s{0,5}[:=]\s{0,5}["']?(?!authenticity|csrf)[\w.-]{0,60}(?:passw(?:or)?d|pass|pwd|token|secret|key)["']?[\s,]{1,60}["']?value["']?\s{0,5}[:=]\s{0,5}["']?([^\s"'`<>$%(){}[\]\\,;]{10,300})(?=["'\s/}]|$)/i), 3.5],
  ['env arg', within(1_000, /^[ \t]{0,10}(?:ENV|ARG)[ \t]{1,5}\w{0,60}(?:PASSWORD|PASSWD|PASS|PWD|TOKEN|SECRET|KEY)[ \t]{1,5}["']?([\w.+/=-]{10,300})["']?[ \t]{0,5}$/m), 3.5],
  // Options and words of commands.
  ['--', within(1_000, /(?<![\w-])--[\w-]{0,30}(?:passw(?:or)?d|passphrase|pass|token|secret|key)[ \t]{1,5}["']?([^\s"'`<>$(){}[\]\\/.,;|]{10,200})(?=["'\s]|$)/i), 3.5],
  ['sshpass mysql mariadb docker redis-cli', within(1_000, /(?:sshpass|mysql\w{0,10}|mariadb[\w-]{0,10}|docker login|redis-cli)[ \t][^\n]{0,200}?(?<![\w-])-[pa] ?["']?([^\s"'`<>$(){}/:]{8,100})(?=["'\s]|$)/), 3],
  ['curl', within(1_000, /curl[ \t][^\n]{0,300}?(?<![\w-])(?:-u|-U|--user|--proxy-user)[ =]?["']?[^\s:'"$<{]{1,100}:([^\s"'`<>${}]{8,200})/), 3],
  ['machine', within(1_000, /\bmachine\s{1,5}\S{1,200}\s{1,5}login\s{1,5}\S{1,100}\s{1,5}(?:account\s{1,5}\S{1,100}\s{1,5})?password\s{1,5}([^\s"'`<>${}]{8,200})/), 3],
  ['auth', within(1_000, /auth\s{0,3}[=(]\s{0,3}\(?\s{0,3}["'][^\s"']{1,100}["'],\s{0,3}["']([^\s"'`<>${}]{10,150})["']/i), 3.3],
  ['by password', within(1_000, /(?:identified\s{1,5}by|password)\s{1,5}'([^\s"'`<>${}]{8,150})'/i), 3],
  ['requirepass masterauth psk', within(1_000, /(?<![\w-])(?:requirepass\s{1,5}|masterauth\s{1,5}|psk\s{0,3}=\s{0,3})["']?([^\s"'`<>${}]{10,100})/), 3.3],
  ['auth', within(1_000, /basic_?auth["']?\s{0,3}[:=]\s{0,3}["']?[\w.-]{1,40}:([^\s"'`<>${}]{10,150})/i), 3.3],
]; // prettier-ignore
