/**
 * Known vulnerabilities of the libraries that are shipped, which are the `dependencies` of package.json and theirs: from the
 * registry where it answers, and from the list in advisories.json, which answers always.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { satisfies } from 'semver';
import { runNpm } from './install.mjs';

/** A known vulnerability. */
export interface Advisory {
  readonly package: string;
  /** As https://github.com/advisories names it. */
  readonly id: string;
  readonly severity: string;
  /** The versions that have it. */
  readonly range: string;
  readonly title: string;
}

/** The content of advisories.json. */
export interface AdvisoryList {
  /** When the list was looked through last, as YYYY-MM-DD. */
  readonly date: string;
  /** Vulnerabilities that cannot be reached here, by id, with the reason. */
  readonly accepted: Readonly<Record<string, string>>;
  readonly advisories: readonly Advisory[];
}

/** The part of package-lock.json that is read. */
export interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/** The result of a check. */
export interface Findings {
  /** One sentence for each vulnerability. */
  readonly complaints: readonly string[];
  /** Findings that can't be relied on, and why. */
  readonly remarks: readonly string[];
}

/** Days after which the list has to be looked through again. */
const freshFor = 90;

/** Every version of every library that is shipped. */
export function shippedPackages({ packages }: LockFile): { name: string; version: string }[] {
  return Object.entries(packages).flatMap(([place, { version, dev = false }]) => {
    const name = place.split('node_modules/').at(-1) ?? '';
    return place === '' || dev || version === undefined ? [] : [{ name, version }];
  });
}

/** The vulnerabilities of a list that are in what is shipped. */
export function listedVulnerabilities(
  lock: LockFile,
  advisories: readonly Advisory[],
): { advisory: Advisory; version: string }[] {
  const shipped = shippedPackages(lock);
  return advisories.flatMap((advisory) =>
    shipped
      .filter(
        ({ name, version }) =>
          name === advisory.package && satisfies(version, advisory.range, { includePrerelease: true }),
      )
      .map(({ version }) => ({ advisory, version })),
  );
}

/** The vulnerabilities that `npm audit --json` reports; undefined when that is no report, as when the registry did not answer. */
export function reportedVulnerabilities(output: string): Advisory[] | undefined {
  let report: { auditReportVersion?: number; vulnerabilities?: Record<string, { via?: unknown }> } | null;
  try {
    report = JSON.parse(output) as typeof report;
  } catch {
    return undefined;
  }
  if (report?.auditReportVersion !== 2 || typeof report.vulnerabilities !== 'object') {
    return undefined;
  }
  return Object.values(report.vulnerabilities).flatMap(({ via }) =>
    // A name stands for a library whose own entry says more.
    (Array.isArray(via) ? (via as unknown[]) : []).filter(isReported).map((one) => ({
      package: one.name,
      id: one.url.split('/').at(-1) ?? one.url,
      severity: one.severity,
      range: one.range,
      title: one.title,
    })),
  );
}

function isReported(
  value: unknown,
): value is { name: string; url: string; severity: string; range: string; title: string } {
  return typeof value === 'object' && value !== null && 'url' in value;
}

/** The output of `npm audit` for the libraries that are shipped. It looks up nothing but the contents of package-lock.json. */
export async function askRegistry(root: string): Promise<string> {
  const args = [
    'audit',
    '--omit=dev',
    '--json',
    '--audit-level=none',
    '--fetch-retries=0',
    '--fetch-timeout=20000',
  ];
  return (await runNpm(args, root)).stdout;
}

/**
 * Looks for known vulnerabilities in what is shipped.
 *
 * @param root the folder of package-lock.json.
 * @param list what is known without the registry.
 * @param audit what the registry says, as `askRegistry` gets it.
 */
export async function checkAdvisories(
  root: string,
  list: AdvisoryList,
  audit: (root: string) => Promise<string>,
  now = Date.now(),
): Promise<Findings> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const listed = listedVulnerabilities(lock, list.advisories).map(({ advisory }) => advisory);
  const reported = reportedVulnerabilities(await audit(root).catch(() => ''));
  const byId = new Map([...listed, ...(reported ?? [])].map((one) => [`${one.package} ${one.id}`, one]));
  const complaints = [...byId.values()]
    .filter(({ id }) => !(id in list.accepted))
    .map(
      ({ package: name, id, severity, range, title }) =>
        `${name} ${range} has a known vulnerability (${severity}): ${title}. https://github.com/advisories/${id}`,
    );
  const age = Math.floor((now - Date.parse(list.date)) / 86_400_000);
  const remarks =
    reported === undefined
      ? [
          `The registry didn't say which vulnerabilities are known, so only those of ${list.date} were checked.`,
          ...(age > freshFor
            ? [`That list is ${age} days old. Check https://github.com/advisories, and update its date.`]
            : []),
        ]
      : [];
  return { complaints, remarks };
}
