import { generate } from 'selfsigned';

/** A key and a certificate in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A certificate authority that no one knows, made for one test run. */
export async function makeAuthority(name = 'Test Authority'): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/** A certificate for these host names, signed by the authority. */
export async function makeCertificate(
  authority: Certificate,
  hosts: readonly string[],
  validTo?: Date,
): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? '' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    ...(validTo && { notBeforeDate: new Date(validTo.getTime() - 86_400_000), notAfterDate: validTo }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
    ],
  });
  return { key: made.private, cert: made.cert };
}
