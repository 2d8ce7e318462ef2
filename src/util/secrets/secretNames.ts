/** Recognizes files that look like secrets by their names. Their contents are the matter of findSecrets.ts. */
import ignore from 'ignore';

/**
 * Names of files, in the form of a .gitignore file: those that shhgit lists (https://github.com/eth0izzle/shhgit, MIT, as of
 * 2020) without what rarely holds a secret, and those of tools that came later.
 */
const names = [
  '.env',
  '.env.*',
  '*.env',
  'env.local',
  '.envrc',
  '.dev.vars',
  '.dev.vars.*',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '!.env.dist',
  '!.dev.vars.example',
  // Keys and what holds them.
  '*.pem',
  '*.key',
  '*.p8',
  '*.p12',
  '*.pfx',
  '*.pkcs12',
  '*.jks',
  '*.keystore',
  '*.keyring',
  '*.keypair',
  '*.keychain',
  '*.keychain-db',
  '*.keytab',
  '*.agilekeychain',
  '*.kwallet',
  '*.kdb',
  '*.kdbx',
  '*.psafe3',
  '*.ppk',
  '*.snk',
  '*.gpg',
  '*.ovpn',
  '*.tblk',
  '*.bek',
  '*.tpm',
  '*.fve',
  '*.mobileprovision',
  'otr.private_key',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '*_rsa',
  '*_dsa',
  '*_ecdsa',
  '*_ed25519',
  '!*.pub',
  // Files in which tools keep passwords and tokens.
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  'pgpass.conf',
  '.my.cnf',
  '.mylogin.cnf',
  '.htpasswd',
  'proftpdpasswd',
  '.git-credentials',
  'kubeconfig*',
  '*.kubeconfig',
  '.dockercfg',
  '.s3cfg',
  '.boto',
  '.vault-token',
  '.vault_pass*',
  '.vault-pass*',
  'vault_pass*',
  '.terraformrc',
  'terraform.rc',
  '*.tfstate',
  '*.tfstate.*',
  '*.tfvars',
  '*.tfvars.json',
  '.databrickscfg',
  '.sentryclirc',
  '.snowsql',
  '.bigqueryrc',
  '.muttrc',
  '.msmtprc',
  '.esmtprc',
  '.trc',
  '.tugboat',
  '.ftpconfig',
  '.remote-sync.json',
  'sftp.json',
  'sftp-config.json',
  'filezilla.xml',
  'recentservers.xml',
  'sitemanager.xml',
  'rclone.conf',
  'ngrok.yml',
  'ngrok.yaml',
  'kaggle.json',
  'heroku.json',
  'robomongo.json',
  'dbeaver-data-sources.xml',
  'jenkins.plugins.publish_over_ssh.BapSshPublisherPlugin.xml',
  'hosts.toml',
  'auth.json',
  'gradle.properties',
  'local.properties',
  // Files in which frameworks keep them.
  'local.settings.json',
  'appsettings.*.json',
  '*.publishsettings',
  '*.pubxml.user',
  '*.cscfg',
  'database.yml',
  'mongoid.yml',
  'secret_token.rb',
  'knife.rb',
  'wp-config.php',
  'LocalSettings.php',
  'config.inc.php',
  'google-services.json',
  'GoogleService-Info.plist',
  '*firebase-adminsdk*.json',
  'gcp-key*.json',
  'gcloud-key*.json',
  '*service-account*.json',
  '*service_account*.json',
  '*serviceaccount*.json',
  'client_secret*.json',
  // Files with the commands that people have typed.
  '.*_history',
  '*sh_history',
  '.history',
  'ConsoleHost_history.txt',
  // Names that people give to such files.
  'credentials',
  'credentials.*',
  '*credentials*.json',
  '*credentials*.yml',
  '*credentials*.yaml',
  'secret',
  'secret.*',
  'secrets.*',
  '*secret.y*ml',
  '*secrets.y*ml',
  '*secret.json',
  '*secrets.json',
  '*.secret',
  '*.secrets',
  'passwd',
  'shadow',
  'password*.txt',
  'passwords.*',
  'passwd*.txt',
  '.token',
  '.tokens',
  'token.txt',
  'token.json',
  'tokens.txt',
  'tokens.json',
  '*.token',
];

/** Folders, and files that have their meaning from the folder they are in. */
const places = [
  '.ssh/',
  '.gnupg/',
  '.aws/',
  '.azure/',
  '.kube/',
  '.docker/config.json',
  '.config/gh/',
  '.config/hub',
  '.config/gcloud/',
  '.config/doctl/',
  '.gem/credentials',
  '.cargo/credentials*',
  '.chef/',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.idea/webServers.xml',
  '.idea/dataSources*.xml',
  '.purple/accounts.xml',
  '.irssi/config',
  '.bundle/config',
  '.composer/auth.json',
];

/** Names that secrets have, and modules of programs, too: only what is not a source is taken for a secret. */
const ambiguous = [
  'secret/*',
  'secrets/*',
  '.secrets/',
  '.credentials/',
  'api_key*',
  'api-key*',
  'apikey*',
  'access_token*',
];

/** The endings of sources and of texts for people. */
const sources = ['c', 'cc', 'cjs', 'cpp', 'cs', 'css', 'ex', 'go', 'h', 'hpp', 'hs', 'html', 'java', 'js', 'jsx', 'kt', 'lua', 'md', 'mjs', 'php', 'png', 'py', 'rb', 'rs', 'rst', 'scala', 'sh', 'sql', 'svg', 'swift', 'ts', 'tsx', 'vue']; // prettier-ignore

/** Endings that editors and people add to the name of a file that they keep. */
const copies = ['~', '.bak', '.backup', '.old', '.orig', '.original', '.save', '.saved', '.copy', '.tmp', '.temp', '.swp', '.swo', '.rej', '.1', '.2', '_bak', '_old', '-old', '-backup']; // prettier-ignore

// Upper and lower case are the same.
const secretNames = ignore({ ignorecase: true }).add(names);
const secretPlaces = ignore({ ignorecase: true, allowRelativePaths: true }).add(places);
const ambiguousPlaces = ignore({ ignorecase: true, allowRelativePaths: true })
  .add(ambiguous.map((name) => `**/${name}`))
  .add(sources.map((ending) => `!*.${ending}`));

/** True for a file whose name is that of a secret. @param path in its repository, with slashes. */
export function isSecretPath(path: string): boolean {
  const original = withoutCopy(path);
  return (
    secretNames.ignores(path.slice(path.lastIndexOf('/') + 1)) ||
    secretPlaces.ignores(path) ||
    ambiguousPlaces.ignores(path) ||
    (original !== path && isSecretPath(original))
  );
}

/** The path of what a file is a copy of: a copy of a secret is one. */
function withoutCopy(path: string): string {
  const lower = path.toLowerCase();
  const ending =
    copies.find((copy) => lower.endsWith(copy) && lower !== copy && !lower.endsWith(`/${copy}`)) ?? '';
  const original = path.slice(0, path.length - ending.length);
  // Vim's own copies begin with a dot, too.
  return ending.startsWith('.sw') ? original.replace(/(^|\/)\.([^/]+)$/, '$1$2') : original;
}
