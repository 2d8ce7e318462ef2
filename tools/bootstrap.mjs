/**
 * Runs one of the project's scripts with the Node the project is written for, installing the clone's packages first where
 * they are missing or older than package-lock.json. Runs itself on Node 20 and later with nothing installed.
 *
 *   node tools/bootstrap.mjs SCRIPT [arguments…]
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { explainNpmFailure, lastLines, runNpm, withLock } from './install.mjs';
import { complaintAboutNode } from './nodeChecksums.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bundledNode = path.join(
  root,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  } catch {
    return undefined;
  }
}

/** npm writes what it has installed into node_modules when it is done, and not before. */
function isInstalled() {
  const wanted = readJson('package-lock.json');
  const installed = readJson('node_modules/.package-lock.json');
  if (!wanted || !installed || !existsSync(bundledNode)) {
    return false;
  }
  return Object.entries(wanted.packages).every(([name, entry]) => {
    const found = installed.packages[name];
    if (name === '' || (!found && (entry.optional || entry.devOptional))) {
      return true;
    }
    return found?.version === entry.version && found.integrity === entry.integrity;
  });
}

async function install() {
  const started = Date.now();
  process.stderr.write('Installing the packages of this clone with npm ci …\n');
  const { code, output } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], root);
  if (code !== 0) {
    process.stderr.write(`${lastLines(output, 12)}\n`);
    fail(`The packages could not be installed. ${explainNpmFailure(output)}`);
  }
  if (!isInstalled()) {
    fail(
      'The packages were installed without their install scripts, which bring the Node.js version this project runs on:' +
        ' run `npm ci --ignore-scripts=false` in this clone and try again.',
    );
  }
  process.stderr.write(`Installed in ${Math.round((Date.now() - started) / 1000)} s.\n`);
}

function run(script, args) {
  const bin = path.join(root, 'node_modules/.bin');
  const child = spawn(
    bundledNode,
    ['--disable-warning=ExperimentalWarning', path.resolve(root, script), ...args],
    {
      // The channel tells the script when this process is gone, even where it was killed without a signal to hand on.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) {
      child.kill('SIGTERM');
    }
  }, 1000).unref();
  child.on('error', (error) => fail(`The project's own Node.js could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exit(code ?? 1);
    }
  });
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  fail('Usage: node tools/bootstrap.mjs SCRIPT [arguments…]');
}
if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`This is Node.js ${process.versions.node}: install version 20 or later and try again.`);
}
if (!isInstalled()) {
  await withLock(
    path.join(root, '.vscode-test/install.lock'),
    async () => {
      if (!isInstalled()) {
        await install();
      }
    },
    () => process.stderr.write('Waiting for another process that installs the packages of this clone …\n'),
  );
}
// Before it runs for the first time, and whoever has installed it.
const complaint = complaintAboutNode(root);
if (complaint !== undefined) {
  fail(`${complaint} It was not run: delete node_modules, and try again with a registry that you trust.`);
}
run(script, args);
