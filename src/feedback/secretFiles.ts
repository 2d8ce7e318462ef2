/** Which files of a repository look like secrets: they never leave this computer by way of feedback. */
import ignore from 'ignore';

/** Names of files, in the form of a .gitignore file. */
const names = [
  '.env',
  '.env.*',
  '*.env',
  '.envrc',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '!.env.dist',
  // Keys and what holds them.
  '*.pem',
  '*.key',
  '*.p8',
  '*.p12',
  '*.pfx',
  '*.pkcs12',
  '*.jks',
  '*.keystore',
  '*.ppk',
  '*.kdbx',
  '*.gpg',
  '*.ovpn',
  '*.mobileprovision',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '!*.pub',
  // What tools keep passwords and tokens in.
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.git-credentials',
  'kubeconfig*',
  '.dockercfg',
  '.s3cfg',
  '.boto',
  '.vault-token',
  '.terraformrc',
  '*.tfstate',
  '*.tfstate.*',
  '*.tfvars',
  '*.tfvars.json',
  // What people call such files.
  'credentials',
  'credentials.*',
  '*credentials*.json',
  '*credentials*.yml',
  '*credentials*.yaml',
  'client_secret*.json',
  'service-account*.json',
  'service_account*.json',
  'secret.*',
  'secrets.*',
  '*.secret',
  '*.secrets',
  'passwords.*',
  'token.txt',
];

/** Folders, and files that have their meaning from the folder they are in. */
const places = ['.ssh/', '.gnupg/', '.aws/', '.azure/', '.kube/', '.docker/config.json'];

// Upper and lower case are the same.
const secretNames = ignore({ ignorecase: true }).add(names);
const secretPlaces = ignore({ ignorecase: true, allowRelativePaths: true }).add(places);

/** How a private key begins, in the text forms that keys have. */
const privateKey = /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/m;

/** Whether a file looks like a secret by its name. @param path in its repository, with slashes. */
export function isSecretPath(path: string): boolean {
  return secretNames.ignores(path.slice(path.lastIndexOf('/') + 1)) || secretPlaces.ignores(path);
}

/** Whether a file holds a private key, whatever its name. */
export function holdsPrivateKey(content: Buffer): boolean {
  return privateKey.test(content.toString('latin1'));
}
