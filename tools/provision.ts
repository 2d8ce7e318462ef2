/**
 * Brings a real VS Code and a browser from the npm registry, once, into .vscode-test/ (or the folder that
 * PATCH_STACKS_TEST_CACHE names, so that several clones can share it). The package code-server carries the whole of VS
 * Code: its server, workbench and extension host. Everything is put together under a temporary name and renamed when it
 * is whole: an interrupted installation never counts.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress, constants } from 'node:zlib';
import { explainNpmFailure, lastLines, runNpm, withLock } from './install.mjs';
import { nodeChecksums, nodePackage } from './nodeChecksums.mjs';
import { Refusal, step } from './progress.ts';

export const root = path.resolve(import.meta.dirname, '..');
export const testFolder = path.join(root, '.vscode-test');
const cache = path.resolve(process.env['PATCH_STACKS_TEST_CACHE'] ?? testFolder);

interface Release {
  /** The VS Code it carries. */
  readonly vscode: string;
  /** The checksum of its package. */
  readonly integrity: string;
  /** Versions from the registry for what it would fetch from a git server. */
  readonly instead?: Readonly<Record<string, string>>;
  /** The Node.js it was made for, where ours is too new for it. */
  readonly node?: string;
}

/** The versions of code-server we can bring. */
const releases = {
  '4.139.1': {
    vscode: '1.139.1',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  },
  '4.105.1': {
    vscode: '1.105.1',
    integrity:
      'sha512-uYQwGkhOMR1/1vkuvj8oR6A03yBcWvxemR4hZdMnBLyZKreZFx4oGhUSVq9lXedXb4kc0jwtYfoeee1J0Q09bw==',
    instead: { '@parcel/watcher': '2.5.1' },
    node: '22.20.0',
  },
} satisfies Record<string, Release>;
export type CodeServerVersion = keyof typeof releases;
export const newestCodeServer: CodeServerVersion = '4.139.1';

export function codeServerVersion(text: string): CodeServerVersion {
  if (!(text in releases)) {
    throw new Refusal(`code-server ${text} isn't supported. Choose ${Object.keys(releases).join(' or ')}.`);
  }
  return text as CodeServerVersion;
}

const chromiumPackage = {
  spec: '@sparticuz/chromium@153.0.0',
  megabytes: 66,
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

/** For machines without any font: the packed one names folders of another system. */
const fontsConfiguration =
  '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">' +
  '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n';

export interface VsCodeInstallation {
  readonly version: string;
  /** The folder that holds out/server-main.js. */
  readonly directory: string;
  /** The program that runs it. */
  readonly node: string;
}

export interface BrowserInstallation {
  readonly executable: string;
  readonly env: Record<string, string>;
}

export async function provideVsCode(
  version: CodeServerVersion = newestCodeServer,
): Promise<VsCodeInstallation> {
  const release: Release = releases[version];
  const directory = path.join(cache, `code-server-${version}`);
  await provide(
    directory,
    `Downloading VS Code ${release.vscode} (once, about 150 MB)`,
    async (target, report) => {
      await unpackPackage(`code-server@${version}`, release.integrity, target);
      const server = path.join(target, 'lib/vscode');
      for (const [folder, what] of [
        [server, 'its libraries'],
        [path.join(server, 'extensions'), 'the libraries of its extensions'],
      ] as const) {
        report(what);
        await fromRegistry(folder, release.instead ?? {});
        await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
      }
    },
  );
  const node = release.node === undefined ? process.execPath : await provideNode(release.node);
  return { version: release.vscode, directory: path.join(directory, 'lib/vscode'), node };
}

/** Another Node.js than ours. */
async function provideNode(version: string): Promise<string> {
  const name = nodePackage(process.platform, process.arch);
  const integrity = nodeChecksums[version]?.[name];
  if (integrity === undefined) {
    throw new Refusal(`No checksum is known for Node.js ${version} on this computer (${name}).`);
  }
  const directory = path.join(cache, `node-${version}`);
  await provide(directory, `Downloading Node.js ${version} (once)`, async (target) => {
    await unpackPackage(`${name}@${version}`, integrity, target);
  });
  return path.join(directory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** An installed browser where there is one, else a Chromium from the registry. */
export async function provideBrowser(): Promise<BrowserInstallation> {
  const installed = findBrowser();
  if (installed !== undefined) {
    return { executable: installed, env: {} };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Refusal(
      "Couldn't find a browser. Install Chrome, Chromium, or Edge, or set the environment variable CHROME_PATH.",
    );
  }
  const version = chromiumPackage.spec.split('@').at(-1) ?? '';
  const directory = path.join(cache, `chromium-${version}`);
  await provide(
    directory,
    `Downloading Chromium ${version} (once, ${chromiumPackage.megabytes} MB)`,
    async (target, report) => {
      const packed = path.join(target, 'package');
      await unpackPackage(chromiumPackage.spec, chromiumPackage.integrity, packed);
      report('unpacking');
      await decompress(path.join(packed, 'bin/chromium.br'), path.join(target, 'chromium'));
      await chmod(path.join(target, 'chromium'), 0o755);
      for (const name of ['al2023', 'fonts', 'swiftshader']) {
        const archive = path.join(target, `${name}.tar`);
        await decompress(path.join(packed, `bin/${name}.tar.br`), archive);
        // Beside the executable, where it looks for them, lie the graphics libraries only.
        const into = name === 'swiftshader' ? target : path.join(target, name);
        await mkdir(into, { recursive: true });
        await extract(archive, into);
        await rm(archive);
      }
      await writeFile(path.join(target, 'fonts/fonts.conf'), fontsConfiguration);
      await rm(packed, { recursive: true });
    },
  );
  const executable = path.join(directory, 'chromium');
  const env: Record<string, string> = {};
  if (lacksLibraries(executable)) {
    env['LD_LIBRARY_PATH'] = [path.join(directory, 'al2023/lib'), process.env['LD_LIBRARY_PATH']]
      .filter(Boolean)
      .join(':');
  }
  if (!existsSync('/etc/fonts/fonts.conf')) {
    env['FONTCONFIG_PATH'] = path.join(directory, 'fonts');
  }
  return { executable, env };
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Has packages come from the registry instead of where the folder's package.json wants them from. */
async function fromRegistry(folder: string, versions: Readonly<Record<string, string>>): Promise<void> {
  for (const name of ['package.json', 'npm-shrinkwrap.json']) {
    const file = path.join(folder, name);
    const content = JSON.parse(await readFile(file, 'utf8')) as Manifest & {
      packages?: Record<string, Manifest>;
    };
    for (const [dependency, version] of Object.entries(versions)) {
      for (const owner of [content, content.packages?.['']]) {
        for (const list of [owner?.dependencies, owner?.devDependencies]) {
          if (list?.[dependency] !== undefined) {
            list[dependency] = version;
          }
        }
      }
      delete content.packages?.[`node_modules/${dependency}`];
    }
    await writeFile(file, JSON.stringify(content));
  }
}

function lacksLibraries(executable: string): boolean {
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  return typeof stdout !== 'string' || stdout.includes('not found');
}

function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) {
      throw new Refusal(`CHROME_PATH is set to ${named}, which doesn't exist.`);
    }
    return named;
  }
  if (process.platform === 'darwin') {
    return [
      ['Google Chrome', 'Google Chrome'],
      ['Chromium', 'Chromium'],
      ['Microsoft Edge', 'Microsoft Edge'],
    ]
      .map(([bundle, name]) => `/Applications/${bundle}.app/Contents/MacOS/${name}`)
      .find((file) => existsSync(file));
  }
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].map((name) => process.env[name]);
    const names = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return names
      .flatMap((name) => roots.map((folder) => path.join(folder ?? 'C:/', name)))
      .find((file) => existsSync(file));
  }
  const names = [
    'google-chrome-stable',
    'google-chrome',
    'chromium',
    'chromium-browser',
    'microsoft-edge-stable',
    'microsoft-edge',
  ];
  return names.map((name) => findOnPath(name)).find((file) => file !== undefined);
}

export function findOnPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return folders
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find((file) => existsSync(file));
}

async function provide(
  directory: string,
  title: string,
  build: (target: string, report: (detail: string) => void) => Promise<void>,
): Promise<void> {
  if (existsSync(directory)) {
    return;
  }
  await mkdir(cache, { recursive: true });
  await withLock(`${directory}.lock`, async () => {
    if (existsSync(directory)) {
      return;
    }
    // No one else is at work while the lock is held: what lies here was left by an interrupted installation.
    const prefix = `${path.basename(directory)}.part-`;
    for (const name of await readdir(cache)) {
      if (name.startsWith(prefix)) {
        await rm(path.join(cache, name), { recursive: true, force: true });
      }
    }
    const target = path.join(cache, `${prefix}${randomUUID().slice(0, 8)}`);
    try {
      await step(title, async (report) => {
        await mkdir(target);
        await build(target, report);
      });
      await rename(target, directory);
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      throw error;
    }
  });
}

async function npm(args: readonly string[], folder: string): Promise<string> {
  const { code, stdout, output } = await runNpm(args, folder);
  if (code !== 0) {
    throw new Refusal(`${lastLines(output, 8)}\nCouldn't download it. ${explainNpmFailure(output)}`);
  }
  return stdout;
}

/** Fetches a package, checks it against its checksum, and puts its files into a new folder. */
async function unpackPackage(spec: string, integrity: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const name = (await npm(['pack', spec, '--loglevel=error'], target)).trim().split('\n').at(-1) ?? '';
  const archive = path.join(target, name);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) {
    throw new Refusal(
      `The package ${spec} isn't the one this project was tested with (its checksum is ${found}), so it wasn't used.`,
    );
  }
  await extract(archive, target, ['--strip-components=1']);
  await rm(archive);
}

async function extract(archive: string, target: string, options: readonly string[] = []): Promise<void> {
  try {
    const file = path.relative(target, archive).replaceAll(path.sep, '/');
    await promisify(execFile)('tar', ['-xf', file, ...options], { cwd: target });
  } catch (error) {
    throw new Refusal(
      `Couldn't unpack ${path.basename(archive)} with tar: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function decompress(from: string, to: string): Promise<void> {
  await pipeline(
    createReadStream(from),
    createBrotliDecompress({ params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } }),
    createWriteStream(to),
  );
}
