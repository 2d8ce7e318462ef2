/**
 * Written by tools/secretRules.ts, never by hand.
 *
 * The forms of secrets, from gitleaks 8.30.1 (https://github.com/gitleaks/gitleaks), which are:
 * MIT License, Copyright (c) 2019 Zachary Rice.
 */
import { within, type BoundedPattern } from '../budget.ts';

/** A form: words of which one is near to it, in lower case; what it matches, a group being the secret; bits for a character. */
export type SecretRule = readonly [words: string, pattern: BoundedPattern, entropy: number];

/** The words of all these forms: the longest one at each place of a text. */
// prettier-ignore
export const secretWords = /(?=(bundle_enterprise__contribsys__com|administrator_login_password|bundle_gems__contribsys__com|enterprise\.contribsys\.com|pypi-ageichlwas5vcmc|gems\.contribsys\.com|webhook\.office\.com|_gitlab_session=|age-secret-key-1|bedrock-api-key-|hooks\.zapier\.com|sntrys_eyjpyxqio|hooks\.slack\.com|incomingwebhook|vercel_blob_rw_|\/api\/webhooks\/|new-york-times|sk-ant-admin01|access_token\$|pscale_oauth_|flwpubk_test|flwseck_test|launchdarkly|message-bird|message_bird|newyorktimes|sk-ant-api03|artifactory|github_pat_|messagebird|pscale_tkn_|sourcegraph|squarespace|apify_api_|cloudflare|co_api_key|confluence|contentful|freshbooks|gocardless|lin_oauth_|mattermost|private-ai|private_ai|pscale_pw_|sb_secret_|secret_key|xoxe\.xoxb-|xoxe\.xoxp-|<add key=|atlassian|authress_|bitbucket|confluent|gr1348941|linked-in|linked_in|mailchimp|new-relic|new_relic|privateai|rubygems_|s-s4t2af-|s-s4t2ud-|wandb_v1_|webhookb2|_apikey_|adafruit|airtable|api_org_|bb_live_|clojars_|coinbase|eyjrijoi|facebook|finicity|glagent-|intercom|lin_api_|linkedin|live_pub|mnemonic|newrelic|password|rapidapi|sendbird|signkey-|t3blbkfj|test_pub|xkeysib-|algolia|alibaba|atlasv1|bintray|bittrex|ccipat_|codecov|datadog|discord|doo_v1_|dop_v1_|dor_v1_|droneci|dropbox|dt0c01\.|duffel_|finnhub|glffct-|glsoat-|gocspx-|hrku-aa|hubspot|mailgun|netlify|nytimes|rk_live|rk_prod|rk_test|scauth_|secret_|sha256~|shippo_|sk_live|sk_prod|sk_test|sntryu_|sq0atp-|sq0csp-|tgp_v1_|twitter|zendesk|atatt3|atctt3|beamer|ccprj_|cfpat-|cohere|dp\.pt\.|dp\.st\.|fastly|fio-u-|flickr|gitter|glcbt-|glimt-|gloas-|glpat-|glptt-|heroku|kraken|kucoin|linear|looker|mapbox|meraki|nvapi-|phrase|polar_|sentry|shpat_|shpca_|shppa_|shpss_|sk\.eyj|sm_aat|sm_pat|sm_sat|telegr|tk-us-|travis|tskey-|twitch|unkey_|whsec_|yandex|adobe|asana|bkua_|cmvmd|dckr_|dnkey|figd_|figo_|gldt-|glft-|glrt-|glsa_|intra|jfrog|jina_|live_|login|lsv2_|napi_|nrak-|nrii-|nrjs-|pcsk_|plaid|pmak-|pplx-|rdme_|sl\.u\.|sonar|test_|token|tvly-|v1\.0-|xoxe-|xoxp-|ya29\.|1\/\/0|4b1d|_mmk|_pub|abia|ably|absk|acca|aiza|akcp|akia|api-|asia|atbb|azdo|csk-|dapi|dub_|e2b_|eaaa|eaac|eaam|etsy|ext_|ezak|eztk|fm2_|fo1_|gho_|ghp_|ghr_|ghs_|ghu_|glc_|gsk_|hvb\.|hvs\.|ico-|jira|key-|ltai|nfp_|npg_|npm_|nrak|ntn_|okta|ops_|p8e-|pat-|pat\.|phx_|pnu_|pul-|rnd_|sat\.|sbp_|sgp_|snyk|sqa_|sqp_|squ_|sumo|tfp_|vca_|vci_|vck_|vcp_|vcr_|xai-|xapp|xoxa|xoxb|xoxo|xoxr|xoxs|xray|zxlk|-us|:aa|a3-|a3t|app|bot|cio|fc-|fm1|fw_|hf_|oy2|pat|pk_|r8_|re_|sc_|sg\.|tr_|ey|q~|s\.|sk))/g;

// prettier-ignore
export const secretRules: readonly SecretRule[] = [
  ["a3-", within(1_000, /\bA3-[A-Z0-9]{6}-(?:(?:[A-Z0-9]{11})|(?:[A-Z0-9]{6}-[A-Z0-9]{5}))-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b/), 3.8], // 1password-secret-key
  ["ops_", within(1_000, /ops_eyJ[a-zA-Z0-9+/]{250,}={0,3}/), 4], // 1password-service-account-token
  ["adafruit", within(1_000, /(?:adafruit)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9_-]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // adafruit-api-key
  ["adobe", within(1_000, /(?:adobe)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 2], // adobe-client-id
  ["p8e-", within(1_000, /\b(p8e-[a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 2], // adobe-client-secret
  ["age-secret-key-1", within(1_000, /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/), 0], // age-secret-key
  ["airtable", within(1_000, /(?:airtable)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{17})(?:[`'"\s;]|\\[nr]|$)/i), 0], // airtable-api-key
  ["airtable", within(1_000, /\b(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})\b/), 0], // airtable-personnal-access-token
  ["algolia", within(1_000, /(?:algolia)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // algolia-api-key
  ["ltai", within(1_000, /\b(LTAI[a-z0-9]{20})(?:[`'"\s;]|\\[nr]|$)/i), 2], // alibaba-access-key-id
  ["alibaba", within(1_000, /(?:alibaba)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{30})(?:[`'"\s;]|\\[nr]|$)/i), 2], // alibaba-secret-key
  ["sk-ant-admin01", within(1_000, /\b(sk-ant-admin01-[a-zA-Z0-9_\-]{93}AA)(?:[`'"\s;]|\\[nr]|$)/), 0], // anthropic-admin-api-key
  ["sk-ant-api03", within(1_000, /\b(sk-ant-api03-[a-zA-Z0-9_\-]{93}AA)(?:[`'"\s;]|\\[nr]|$)/), 0], // anthropic-api-key
  ["akcp", within(1_000, /\bAKCp[A-Za-z0-9]{69}\b/), 4.5], // artifactory-api-key
  ["cmvmd", within(1_000, /\bcmVmd[A-Za-z0-9]{59}\b/), 4.5], // artifactory-reference-token
  ["asana", within(1_000, /(?:asana)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9]{16})(?:[`'"\s;]|\\[nr]|$)/i), 0], // asana-client-id
  ["asana", within(1_000, /(?:asana)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // asana-client-secret
  ["atlassian confluence jira atatt3", within(1_000, /(?:(?:ATLASSIAN|[Aa]tlassian)|(?:CONFLUENCE|[Cc]onfluence)|(?:JIRA|[Jj]ira))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{20}[a-f0-9]{4})(?:[`'"\s;]|\\[nr]|$)|\b(ATATT3[A-Za-z0-9_\-=]{186})(?:[`'"\s;]|\\[nr]|$)/i), 3.5], // atlassian-api-token
  ["sc_ ext_ scauth_ authress_", within(1_000, /\b((?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.(?:acc)[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120})(?:[`'"\s;]|\\[nr]|$)/i), 2], // authress-service-client-access-key
  ["a3t akia asia abia acca", within(1_000, /\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b/), 3], // aws-access-token
  ["absk", within(1_000, /\b(ABSK[A-Za-z0-9+/]{109,269}={0,2})(?:[`'"\s;]|\\[nr]|$)/), 3], // aws-amazon-bedrock-api-key-long-lived
  ["bedrock-api-key-", within(1_000, /bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t/), 3], // aws-amazon-bedrock-api-key-short-lived
  ["q~", within(1_000, /(?:^|[\\'"`\s>=:(,)])([a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34})(?:$|[\\'"`\s<),])/), 3], // azure-ad-client-secret
  ["beamer", within(1_000, /(?:beamer)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(b_[a-z0-9=_\-]{44})(?:[`'"\s;]|\\[nr]|$)/i), 0], // beamer-api-token
  ["bitbucket", within(1_000, /(?:bitbucket)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // bitbucket-client-id
  ["bitbucket", within(1_000, /(?:bitbucket)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // bitbucket-client-secret
  ["bittrex", within(1_000, /(?:bittrex)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // bittrex-access-key
  ["bittrex", within(1_000, /(?:bittrex)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // bittrex-secret-key
  ["meraki", within(1_000, /(?:(?:(?:[Mm]eraki|MERAKI))(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{40})(?:[`'"\s;]|\\[nr]|$)/i), 3], // cisco-meraki-api-key
  ["4b1d", within(1_000, /\b(4b1d[A-Za-z0-9]{38})\b/), 3], // clickhouse-cloud-api-secret-key
  ["clojars_", within(1_000, /CLOJARS_[a-z0-9]{60}/i), 2], // clojars-api-token
  ["cloudflare", within(1_000, /(?:cloudflare)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9_-]{40})(?:[`'"\s;]|\\[nr]|$)/i), 2], // cloudflare-api-key
  ["cloudflare", within(1_000, /(?:cloudflare)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{37})(?:[`'"\s;]|\\[nr]|$)/i), 2], // cloudflare-global-api-key
  ["cloudflare v1.0-", within(1_000, /\b(v1\.0-[a-f0-9]{24}-[a-f0-9]{146})(?:[`'"\s;]|\\[nr]|$)/), 2], // cloudflare-origin-ca-key
  ["codecov", within(1_000, /(?:codecov)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // codecov-access-token
  ["cohere co_api_key", within(1_000, /(?:(?:cohere|CO_API_KEY)(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-zA-Z0-9]{40})(?:[`'"\s;]|\\[nr]|$)/i), 4], // cohere-api-token
  ["coinbase", within(1_000, /(?:coinbase)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9_-]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // coinbase-access-token
  ["confluent", within(1_000, /(?:confluent)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{16})(?:[`'"\s;]|\\[nr]|$)/i), 0], // confluent-access-token
  ["confluent", within(1_000, /(?:confluent)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // confluent-secret-key
  ["contentful", within(1_000, /(?:contentful)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{43})(?:[`'"\s;]|\\[nr]|$)/i), 0], // contentful-delivery-api-token
  ["dapi", within(1_000, /\b(dapi[a-f0-9]{32}(?:-\d)?)(?:[`'"\s;]|\\[nr]|$)/), 3], // databricks-api-token
  ["datadog", within(1_000, /(?:datadog)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // datadog-access-token
  ["dnkey", within(1_000, /(?:dnkey)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(dnkey-[a-z0-9=_\-]{26}-[a-z0-9=_\-]{52})(?:[`'"\s;]|\\[nr]|$)/i), 0], // defined-networking-api-token
  ["doo_v1_", within(1_000, /\b(doo_v1_[a-f0-9]{64})(?:[`'"\s;]|\\[nr]|$)/), 3], // digitalocean-access-token
  ["dop_v1_", within(1_000, /\b(dop_v1_[a-f0-9]{64})(?:[`'"\s;]|\\[nr]|$)/), 3], // digitalocean-pat
  ["dor_v1_", within(1_000, /\b(dor_v1_[a-f0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // digitalocean-refresh-token
  ["discord", within(1_000, /(?:discord)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // discord-api-token
  ["discord", within(1_000, /(?:discord)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9]{18})(?:[`'"\s;]|\\[nr]|$)/i), 2], // discord-client-id
  ["discord", within(1_000, /(?:discord)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{32})(?:[`'"\s;]|\\[nr]|$)/i), 2], // discord-client-secret
  ["dp.pt.", within(1_000, /dp\.pt\.[a-z0-9]{43}/i), 2], // doppler-api-token
  ["droneci", within(1_000, /(?:droneci)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // droneci-access-token
  ["dropbox", within(1_000, /(?:dropbox)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{15})(?:[`'"\s;]|\\[nr]|$)/i), 0], // dropbox-api-token
  ["dropbox", within(1_000, /(?:dropbox)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{11}(AAAAAAAAAA)[a-z0-9\-_=]{43})(?:[`'"\s;]|\\[nr]|$)/i), 0], // dropbox-long-lived-api-token
  ["dropbox", within(1_000, /(?:dropbox)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(sl\.[a-z0-9\-=_]{135})(?:[`'"\s;]|\\[nr]|$)/i), 0], // dropbox-short-lived-api-token
  ["duffel_", within(1_000, /duffel_(?:test|live)_[a-z0-9_\-=]{43}/i), 2], // duffel-api-token
  ["dt0c01.", within(1_000, /dt0c01\.[a-z0-9]{24}\.[a-z0-9]{64}/i), 4], // dynatrace-api-token
  ["ezak", within(1_000, /\bEZAK[a-z0-9]{54}\b/i), 2], // easypost-api-token
  ["eztk", within(1_000, /\bEZTK[a-z0-9]{54}\b/i), 2], // easypost-test-api-token
  ["etsy", within(1_000, /(?:(?:ETSY|[Ee]tsy))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{24})(?:[`'"\s;]|\\[nr]|$)/i), 3], // etsy-access-token
  ["facebook", within(1_000, /\b(\d{15,16}(\||%)[0-9a-z\-_]{27,40})(?:[`'"\s;]|\\[nr]|$)/i), 3], // facebook-access-token
  ["eaam eaac", within(1_000, /\b(EAA[MC][a-z0-9]{100,})(?:[`'"\s;]|\\[nr]|$)/i), 4], // facebook-page-access-token
  ["facebook", within(1_000, /(?:facebook)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 3], // facebook-secret
  ["fastly", within(1_000, /(?:fastly)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // fastly-api-token
  ["finicity", within(1_000, /(?:finicity)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // finicity-api-token
  ["finicity", within(1_000, /(?:finicity)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{20})(?:[`'"\s;]|\\[nr]|$)/i), 0], // finicity-client-secret
  ["finnhub", within(1_000, /(?:finnhub)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{20})(?:[`'"\s;]|\\[nr]|$)/i), 0], // finnhub-access-token
  ["flickr", within(1_000, /(?:flickr)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // flickr-access-token
  ["flwseck_test", within(1_000, /FLWSECK_TEST-[a-h0-9]{12}/i), 2], // flutterwave-encryption-key
  ["flwpubk_test", within(1_000, /FLWPUBK_TEST-[a-h0-9]{32}-X/i), 2], // flutterwave-public-key
  ["flwseck_test", within(1_000, /FLWSECK_TEST-[a-h0-9]{32}-X/i), 2], // flutterwave-secret-key
  ["fo1_ fm1 fm2_", within(1_000, /\b((?:fo1_[\w-]{43}|fm1[ar]_[a-zA-Z0-9+/]{100,}={0,3}|fm2_[a-zA-Z0-9+/]{100,}={0,3}))(?:[`'"\s;]|\\[nr]|$)/), 4], // flyio-access-token
  ["fio-u-", within(1_000, /fio-u-[a-z0-9\-_=]{64}/i), 0], // frameio-api-token
  ["secret_key", within(1_000, /["']secret_key["']\s*=>\s*["'](sk_[\S]{29})["']/i), 0], // freemius-secret-key
  ["freshbooks", within(1_000, /(?:freshbooks)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // freshbooks-access-token
  ["aiza", within(1_000, /\b(AIza[\w-]{35})(?:[`'"\s;]|\\[nr]|$)/), 4], // gcp-api-key
  ["ghu_ ghs_", within(1_000, /(?:ghu|ghs)_[0-9a-zA-Z]{36}/), 3], // github-app-token
  ["github_pat_", within(1_000, /github_pat_\w{82}/), 3], // github-fine-grained-pat
  ["gho_", within(1_000, /gho_[0-9a-zA-Z]{36}/), 3], // github-oauth
  ["ghp_", within(1_000, /ghp_[0-9a-zA-Z]{36}/), 3], // github-pat
  ["ghr_", within(1_000, /ghr_[0-9a-zA-Z]{36}/), 3], // github-refresh-token
  ["glcbt-", within(1_000, /glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20}/), 3], // gitlab-cicd-job-token
  ["gldt-", within(1_000, /gldt-[0-9a-zA-Z_\-]{20}/), 3], // gitlab-deploy-token
  ["glffct-", within(1_000, /glffct-[0-9a-zA-Z_\-]{20}/), 3], // gitlab-feature-flag-client-token
  ["glft-", within(1_000, /glft-[0-9a-zA-Z_\-]{20}/), 3], // gitlab-feed-token
  ["glimt-", within(1_000, /glimt-[0-9a-zA-Z_\-]{25}/), 3], // gitlab-incoming-mail-token
  ["glagent-", within(1_000, /glagent-[0-9a-zA-Z_\-]{50}/), 3], // gitlab-kubernetes-agent-token
  ["gloas-", within(1_000, /gloas-[0-9a-zA-Z_\-]{64}/), 3], // gitlab-oauth-app-secret
  ["glpat-", within(1_000, /glpat-[\w-]{20}/), 3], // gitlab-pat
  ["glpat-", within(1_000, /\bglpat-[0-9a-zA-Z_-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b/), 4], // gitlab-pat-routable
  ["glptt-", within(1_000, /glptt-[0-9a-f]{40}/), 3], // gitlab-ptt
  ["gr1348941", within(1_000, /GR1348941[\w-]{20}/), 3], // gitlab-rrt
  ["glrt-", within(1_000, /glrt-[0-9a-zA-Z_\-]{20}/), 3], // gitlab-runner-authentication-token
  ["glrt-", within(1_000, /\bglrt-t\d_[0-9a-zA-Z_\-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b/), 4], // gitlab-runner-authentication-token-routable
  ["glsoat-", within(1_000, /glsoat-[0-9a-zA-Z_\-]{20}/), 3], // gitlab-scim-token
  ["_gitlab_session=", within(1_000, /_gitlab_session=[0-9a-z]{32}/), 3], // gitlab-session-cookie
  ["gitter", within(1_000, /(?:gitter)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9_-]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // gitter-access-token
  ["live_ gocardless", within(1_000, /(?:gocardless)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(live_[a-z0-9\-_=]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // gocardless-api-token
  ["eyjrijoi", within(1_000, /\b(eyJrIjoi[A-Za-z0-9]{70,400}={0,3})(?:[`'"\s;]|\\[nr]|$)/i), 3], // grafana-api-key
  ["glc_", within(1_000, /\b(glc_[A-Za-z0-9+/]{32,400}={0,3})(?:[`'"\s;]|\\[nr]|$)/i), 3], // grafana-cloud-api-token
  ["glsa_", within(1_000, /\b(glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})(?:[`'"\s;]|\\[nr]|$)/i), 3], // grafana-service-account-token
  ["pat. sat.", within(1_000, /(?:pat|sat)\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}/), 0], // harness-api-key
  ["atlasv1", within(1_000, /[a-z0-9]{14}\.(?:atlasv1)\.[a-z0-9\-_=]{60,70}/i), 3.5], // hashicorp-tf-api-token
  ["administrator_login_password password", within(1_000, /(?:administrator_login_password|password)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}("[a-z0-9=_\-]{8,20}")(?:[`'"\s;]|\\[nr]|$)/i), 2], // hashicorp-tf-password
  ["heroku", within(1_000, /(?:heroku)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // heroku-api-key
  ["hrku-aa", within(1_000, /\b((HRKU-AA[0-9a-zA-Z_-]{58}))(?:[`'"\s;]|\\[nr]|$)/), 4], // heroku-api-key-v2
  ["hubspot", within(1_000, /(?:hubspot)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // hubspot-api-key
  ["hf_", within(1_000, /\b(hf_(?:[a-z]{34}))(?:[`'"\s;]|\\[nr]|$)/i), 2], // huggingface-access-token
  ["api_org_", within(1_000, /\b(api_org_(?:[a-z]{34}))(?:[`'"\s;]|\\[nr]|$)/i), 2], // huggingface-organization-api-token
  ["ico-", within(1_000, /\b(ico-[a-zA-Z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/), 3], // infracost-api-token
  ["intercom", within(1_000, /(?:intercom)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{60})(?:[`'"\s;]|\\[nr]|$)/i), 0], // intercom-api-key
  ["intra s-s4t2ud- s-s4t2af-", within(1_000, /\b(s-s4t2(?:ud|af)-[abcdef0123456789]{64})(?:[`'"\s;]|\\[nr]|$)/i), 3], // intra42-client-secret
  ["jfrog artifactory bintray xray", within(1_000, /(?:jfrog|artifactory|bintray|xray)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{73})(?:[`'"\s;]|\\[nr]|$)/i), 0], // jfrog-api-key
  ["jfrog artifactory bintray xray", within(1_000, /(?:jfrog|artifactory|bintray|xray)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // jfrog-identity-token
  ["ey", within(1_000, /\b(ey[a-zA-Z0-9]{17,}\.ey[a-zA-Z0-9/\\_-]{17,}\.(?:[a-zA-Z0-9/\\_-]{10,}={0,2})?)(?:[`'"\s;]|\\[nr]|$)/), 3], // jwt
  ["zxlk", within(1_000, /\bZXlK(?:(?:aGJHY2lPaU)|(?:aGNIVWlPaU)|(?:aGNIWWlPaU)|(?:aGRXUWlPaU)|(?:aU5qUWlP)|(?:amNtbDBJanBi)|(?:amRIa2lPaU)|(?:bGNHc2lPbn)|(?:bGJtTWlPaU)|(?:cWEzVWlPaU)|(?:cWQyc2lPb)|(?:cGMzTWlPaU)|(?:cGRpSTZJ)|(?:cmFXUWlP)|(?:clpYbGZiM0J6SWpwY)|(?:cmRIa2lPaUp)|(?:dWIyNWpaU0k2)|(?:d01tTWlP)|(?:d01uTWlPaU)|(?:d2NIUWlPaU)|(?:emRXSWlPaU)|(?:emRuUWlP)|(?:MFlXY2lPaU)|(?:MGVYQWlPaUp)|(?:MWNtd2l)|(?:MWMyVWlPaUp)|(?:MlpYSWlPaU)|(?:MlpYSnphVzl1SWpv)|(?:NElqb2)|(?:NE5XTWlP)|(?:NE5YUWlPaU)|(?:NE5YUWpVekkxTmlJNkl)|(?:NE5YVWlPaU)|(?:NmFYQWlPaU))[a-zA-Z0-9/\\_+\-\r\n]{40,}={0,2}/), 2], // jwt-base64
  ["kraken", within(1_000, /(?:kraken)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9/=_\+\-]{80,90})(?:[`'"\s;]|\\[nr]|$)/i), 0], // kraken-access-token
  ["kucoin", within(1_000, /(?:kucoin)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{24})(?:[`'"\s;]|\\[nr]|$)/i), 0], // kucoin-access-token
  ["kucoin", within(1_000, /(?:kucoin)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // kucoin-secret-key
  ["launchdarkly", within(1_000, /(?:launchdarkly)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // launchdarkly-access-token
  ["lin_api_", within(1_000, /lin_api_[a-z0-9]{40}/i), 2], // linear-api-key
  ["linear", within(1_000, /(?:linear)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 2], // linear-client-secret
  ["linkedin linked_in linked-in", within(1_000, /(?:linked[_-]?in)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{14})(?:[`'"\s;]|\\[nr]|$)/i), 2], // linkedin-client-id
  ["linkedin linked_in linked-in", within(1_000, /(?:linked[_-]?in)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{16})(?:[`'"\s;]|\\[nr]|$)/i), 2], // linkedin-client-secret
  ["test_ live_", within(1_000, /(?:lob)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}((live|test)_[a-f0-9]{35})(?:[`'"\s;]|\\[nr]|$)/i), 0], // lob-api-key
  ["test_pub live_pub _pub", within(1_000, /(?:lob)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}((test|live)_pub_[a-f0-9]{31})(?:[`'"\s;]|\\[nr]|$)/i), 0], // lob-pub-api-key
  ["looker", within(1_000, /(?:looker)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{20})(?:[`'"\s;]|\\[nr]|$)/i), 0], // looker-client-id
  ["looker", within(1_000, /(?:looker)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{24})(?:[`'"\s;]|\\[nr]|$)/i), 0], // looker-client-secret
  ["mailchimp", within(1_000, /(?:MailchimpSDK.initialize|mailchimp)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{32}-us\d\d)(?:[`'"\s;]|\\[nr]|$)/i), 0], // mailchimp-api-key
  ["mailgun", within(1_000, /(?:mailgun)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(key-[a-f0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // mailgun-private-api-token
  ["mailgun", within(1_000, /(?:mailgun)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(pubkey-[a-f0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // mailgun-pub-key
  ["mailgun", within(1_000, /(?:mailgun)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})(?:[`'"\s;]|\\[nr]|$)/i), 0], // mailgun-signing-key
  ["mapbox", within(1_000, /(?:mapbox)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(pk\.[a-z0-9]{60}\.[a-z0-9]{22})(?:[`'"\s;]|\\[nr]|$)/i), 0], // mapbox-api-token
  ["mattermost", within(1_000, /(?:mattermost)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{26})(?:[`'"\s;]|\\[nr]|$)/i), 0], // mattermost-access-token
  ["_mmk", within(1_000, /\b([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?:[`'"\s;]|\\[nr]|$)/), 4], // maxmind-license-key
  ["messagebird message-bird message_bird", within(1_000, /(?:message[_-]?bird)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{25})(?:[`'"\s;]|\\[nr]|$)/i), 0], // messagebird-api-token
  ["messagebird message-bird message_bird", within(1_000, /(?:message[_-]?bird)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // messagebird-client-id
  ["webhook.office.com webhookb2 incomingwebhook", within(1_000, /https:\/\/[a-z0-9]+\.webhook\.office\.com\/webhookb2\/[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}/), 0], // microsoft-teams-webhook
  ["netlify", within(1_000, /(?:netlify)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{40,46})(?:[`'"\s;]|\\[nr]|$)/i), 0], // netlify-access-token
  ["nrjs-", within(1_000, /(?:new-relic|newrelic|new_relic)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(NRJS-[a-f0-9]{19})(?:[`'"\s;]|\\[nr]|$)/i), 0], // new-relic-browser-api-token
  ["nrii-", within(1_000, /(?:new-relic|newrelic|new_relic)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(NRII-[a-z0-9-]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // new-relic-insert-key
  ["new-relic newrelic new_relic", within(1_000, /(?:new-relic|newrelic|new_relic)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 0], // new-relic-user-api-id
  ["nrak", within(1_000, /(?:new-relic|newrelic|new_relic)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(NRAK-[a-z0-9]{27})(?:[`'"\s;]|\\[nr]|$)/i), 0], // new-relic-user-api-key
  ["ntn_", within(1_000, /\b(ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})(?:[`'"\s;]|\\[nr]|$)/), 4], // notion-api-token
  ["npm_", within(1_000, /\b(npm_[a-z0-9]{36})(?:[`'"\s;]|\\[nr]|$)/i), 2], // npm-access-token
  ["<add key=", within(1_000, /<add key=\"(?:(?:ClearText)?Password)\"\s*value=\"(.{8,})\"\s*\/>/i), 1], // nuget-config-password
  ["nytimes new-york-times newyorktimes", within(1_000, /(?:nytimes|new-york-times,|newyorktimes)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9=_\-]{32})(?:[`'"\s;]|\\[nr]|$)/i), 0], // nytimes-access-token
  ["api-", within(1_000, /\b(API-[A-Z0-9]{26})(?:[`'"\s;]|\\[nr]|$)/), 3], // octopus-deploy-api-key
  ["okta", within(1_000, /(?:(?:(?:[Oo]kta|OKTA))(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(00[\w=\-]{40})(?:[`'"\s;]|\\[nr]|$)/i), 4], // okta-access-token
  ["t3blbkfj", within(1_000, /\b(sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})(?:[`'"\s;]|\\[nr]|$)/), 3], // openai-api-key
  ["sha256~", within(1_000, /\b(sha256~[\w-]{43})(?:[^\w-]|$)/), 3.5], // openshift-user-token
  ["pplx-", within(1_000, /\b(pplx-[a-zA-Z0-9]{48})(?:[`'"\s;]|\\[nr]|$|\b)/), 4], // perplexity-api-key
  ["plaid", within(1_000, /(?:plaid)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // plaid-api-token
  ["plaid", within(1_000, /(?:plaid)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{24})(?:[`'"\s;]|\\[nr]|$)/i), 3.5], // plaid-client-id
  ["plaid", within(1_000, /(?:plaid)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{30})(?:[`'"\s;]|\\[nr]|$)/i), 3.5], // plaid-secret-key
  ["pscale_tkn_", within(1_000, /\b(pscale_tkn_[\w=.-]{32,64})(?:[`'"\s;]|\\[nr]|$)/i), 3], // planetscale-api-token
  ["pscale_oauth_", within(1_000, /\b(pscale_oauth_[\w=.-]{32,64})(?:[`'"\s;]|\\[nr]|$)/), 3], // planetscale-oauth-token
  ["pscale_pw_", within(1_000, /\b(pscale_pw_[\w=.-]{32,64})(?:[`'"\s;]|\\[nr]|$)/i), 3], // planetscale-password
  ["pmak-", within(1_000, /\b(PMAK-[a-f0-9]{24}\-[a-f0-9]{34})(?:[`'"\s;]|\\[nr]|$)/i), 3], // postman-api-token
  ["pnu_", within(1_000, /\b(pnu_[a-zA-Z0-9]{36})(?:[`'"\s;]|\\[nr]|$)/), 2], // prefect-api-token
  ["privateai private_ai private-ai", within(1_000, /(?:(?:private[_-]?ai)(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{32})(?:[`'"\s;]|\\[nr]|$)/i), 3], // privateai-api-token
  ["pul-", within(1_000, /\b(pul-[a-f0-9]{40})(?:[`'"\s;]|\\[nr]|$)/), 2], // pulumi-api-token
  ["pypi-ageichlwas5vcmc", within(1_000, /pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}/), 3], // pypi-upload-token
  ["rapidapi", within(1_000, /(?:rapidapi)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9_-]{50})(?:[`'"\s;]|\\[nr]|$)/i), 0], // rapidapi-access-token
  ["rdme_", within(1_000, /\b(rdme_[a-z0-9]{70})(?:[`'"\s;]|\\[nr]|$)/), 2], // readme-api-token
  ["rubygems_", within(1_000, /\b(rubygems_[a-f0-9]{48})(?:[`'"\s;]|\\[nr]|$)/), 2], // rubygems-api-token
  ["tk-us-", within(1_000, /\b(tk-us-[\w-]{48})(?:[`'"\s;]|\\[nr]|$)/), 2], // scalingo-api-token
  ["sendbird", within(1_000, /(?:sendbird)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // sendbird-access-id
  ["sendbird", within(1_000, /(?:sendbird)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // sendbird-access-token
  ["sg.", within(1_000, /\b(SG\.[a-z0-9=_\-.]{66})(?:[`'"\s;]|\\[nr]|$)/i), 2], // sendgrid-api-token
  ["xkeysib-", within(1_000, /\b(xkeysib-[a-f0-9]{64}\-[a-z0-9]{16})(?:[`'"\s;]|\\[nr]|$)/i), 2], // sendinblue-api-token
  ["sentry", within(1_000, /(?:sentry)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 3], // sentry-access-token
  ["sntrys_eyjpyxqio", within(1_000, /\bsntrys_eyJpYXQiO[a-zA-Z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0,2}_[a-zA-Z0-9+/]{43}(?:[^a-zA-Z0-9+/]|$)/), 4.5], // sentry-org-token
  ["sntryu_", within(1_000, /\b(sntryu_[a-f0-9]{64})(?:[`'"\s;]|\\[nr]|$)/), 3.5], // sentry-user-token
  ["sm_aat", within(1_000, /\b(sm_aat_[a-zA-Z0-9]{16})(?:[`'"\s;]|\\[nr]|$)/), 3], // settlemint-application-access-token
  ["sm_pat", within(1_000, /\b(sm_pat_[a-zA-Z0-9]{16})(?:[`'"\s;]|\\[nr]|$)/), 3], // settlemint-personal-access-token
  ["sm_sat", within(1_000, /\b(sm_sat_[a-zA-Z0-9]{16})(?:[`'"\s;]|\\[nr]|$)/), 3], // settlemint-service-access-token
  ["shippo_", within(1_000, /\b(shippo_(?:live|test)_[a-fA-F0-9]{40})(?:[`'"\s;]|\\[nr]|$)/), 2], // shippo-api-token
  ["shpat_", within(1_000, /shpat_[a-fA-F0-9]{32}/), 2], // shopify-access-token
  ["shpca_", within(1_000, /shpca_[a-fA-F0-9]{32}/), 2], // shopify-custom-access-token
  ["shppa_", within(1_000, /shppa_[a-fA-F0-9]{32}/), 2], // shopify-private-app-access-token
  ["shpss_", within(1_000, /shpss_[a-fA-F0-9]{32}/), 2], // shopify-shared-secret
  ["bundle_enterprise__contribsys__com bundle_gems__contribsys__com", within(1_000, /(?:BUNDLE_ENTERPRISE__CONTRIBSYS__COM|BUNDLE_GEMS__CONTRIBSYS__COM)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-f0-9]{8}:[a-f0-9]{8})(?:[`'"\s;]|\\[nr]|$)/i), 0], // sidekiq-secret
  ["gems.contribsys.com enterprise.contribsys.com", within(1_000, /\bhttps?:\/\/([a-f0-9]{8}:[a-f0-9]{8})@(?:gems.contribsys.com|enterprise.contribsys.com)(?:[/|\#|\?|:]|$)/i), 0], // sidekiq-sensitive-url
  ["xapp", within(1_000, /xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+/i), 2], // slack-app-token
  ["xoxb", within(1_000, /xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]*/), 3], // slack-bot-token
  ["xoxe.xoxb- xoxe.xoxp-", within(1_000, /xoxe.xox[bp]-\d-[A-Z0-9]{163,166}/i), 2], // slack-config-access-token
  ["xoxe-", within(1_000, /xoxe-\d-[A-Z0-9]{146}/i), 2], // slack-config-refresh-token
  ["xoxb", within(1_000, /xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26}/), 2], // slack-legacy-bot-token
  ["xoxo xoxs", within(1_000, /xox[os]-\d+-\d+-\d+-[a-fA-F\d]+/), 2], // slack-legacy-token
  ["xoxa xoxr", within(1_000, /xox[ar]-(?:\d-)?[0-9a-zA-Z]{8,48}/), 2], // slack-legacy-workspace-token
  ["xoxp- xoxe-", within(1_000, /xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}/), 2], // slack-user-token
  ["hooks.slack.com", within(1_000, /(?:https?:\/\/)?hooks.slack.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,56}/), 0], // slack-webhook-url
  ["snyk", within(1_000, /(?:snyk[_.-]?(?:(?:api|oauth)[_.-]?)?(?:key|token))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // snyk-api-token
  ["sonar", within(1_000, /(?:sonar[_.-]?(?:login|token))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}((?:squ_|sqp_|sqa_)?[a-z0-9=_\-]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // sonar-api-token
  ["sgp_ sourcegraph", within(1_000, /\b(\b(sgp_(?:[a-fA-F0-9]{16}|local)_[a-fA-F0-9]{40}|sgp_[a-fA-F0-9]{40}|[a-fA-F0-9]{40})\b)(?:[`'"\s;]|\\[nr]|$)/i), 3], // sourcegraph-access-token
  ["sq0atp- eaaa", within(1_000, /\b((?:EAAA|sq0atp-)[\w-]{22,60})(?:[`'"\s;]|\\[nr]|$)/), 2], // square-access-token
  ["squarespace", within(1_000, /(?:squarespace)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[`'"\s;]|\\[nr]|$)/i), 0], // squarespace-access-token
  ["sk_test sk_live sk_prod rk_test rk_live rk_prod", within(1_000, /\b((?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{10,99})(?:[`'"\s;]|\\[nr]|$)/), 2], // stripe-access-token
  ["sumo", within(1_000, /(?:(?:(?:[Ss]umo|SUMO))(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(su[a-zA-Z0-9]{12})(?:[`'"\s;]|\\[nr]|$)/i), 3], // sumologic-access-id
  ["sumo", within(1_000, /(?:(?:[Ss]umo|SUMO))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{64})(?:[`'"\s;]|\\[nr]|$)/i), 3], // sumologic-access-token
  ["telegr", within(1_000, /(?:telegr)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9]{5,16}:(?:A)[a-z0-9_\-]{34})(?:[`'"\s;]|\\[nr]|$)/i), 0], // telegram-bot-api-token
  ["travis", within(1_000, /(?:travis)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{22})(?:[`'"\s;]|\\[nr]|$)/i), 0], // travisci-access-token
  ["sk", within(1_000, /SK[0-9a-fA-F]{32}/), 3], // twilio-api-key
  ["twitch", within(1_000, /(?:twitch)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{30})(?:[`'"\s;]|\\[nr]|$)/i), 0], // twitch-api-token
  ["twitter", within(1_000, /(?:twitter)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{45})(?:[`'"\s;]|\\[nr]|$)/i), 0], // twitter-access-secret
  ["twitter", within(1_000, /(?:twitter)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([0-9]{15,25}-[a-zA-Z0-9]{20,40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // twitter-access-token
  ["twitter", within(1_000, /(?:twitter)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{25})(?:[`'"\s;]|\\[nr]|$)/i), 0], // twitter-api-key
  ["twitter", within(1_000, /(?:twitter)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{50})(?:[`'"\s;]|\\[nr]|$)/i), 0], // twitter-api-secret
  ["twitter", within(1_000, /(?:twitter)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(A{22}[a-zA-Z0-9%]{80,100})(?:[`'"\s;]|\\[nr]|$)/i), 0], // twitter-bearer-token
  ["tfp_", within(1_000, /(?:typeform)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(tfp_[a-z0-9\-_.=]{59})(?:[`'"\s;]|\\[nr]|$)/i), 0], // typeform-api-token
  ["hvb.", within(1_000, /\b(hvb\.[\w-]{138,300})(?:[`'"\s;]|\\[nr]|$)/), 4], // vault-batch-token
  ["hvs. s.", within(1_000, /\b((?:hvs\.[\w-]{90,120}|s\.(?:[a-z0-9]{24})))(?:[`'"\s;]|\\[nr]|$)/i), 3.5], // vault-service-token
  ["yandex", within(1_000, /(?:yandex)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(t1\.[A-Z0-9a-z_-]+[=]{0,2}\.[A-Z0-9a-z_-]{86}[=]{0,2})(?:[`'"\s;]|\\[nr]|$)/i), 0], // yandex-access-token
  ["yandex", within(1_000, /(?:yandex)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(AQVN[A-Za-z0-9_\-]{35,38})(?:[`'"\s;]|\\[nr]|$)/i), 0], // yandex-api-key
  ["yandex", within(1_000, /(?:yandex)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}(YC[a-zA-Z0-9_\-]{38})(?:[`'"\s;]|\\[nr]|$)/i), 0], // yandex-aws-access-token
  ["zendesk", within(1_000, /(?:zendesk)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[`'"\s=]{0,5}([a-z0-9]{40})(?:[`'"\s;]|\\[nr]|$)/i), 0], // zendesk-secret-key
];
