/**
 * The steps that must work before any package is installed, on Node 20: running npm, saying in one sentence why it failed, and
 * keeping two processes from installing into the same folder at once.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs npm with the Node that runs this script, and collects what it prints.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ code: number, stdout: string, output: string }>}
 */
export function runNpm(args, cwd) {
  // A script started by npm knows where npm's own program lies, which spares us the .cmd file on Windows.
  const program = process.env['npm_execpath'];
  const known = program !== undefined && /npm-cli\.c?js$/.test(program);
  const windows = process.platform === 'win32';
  const env = { ...process.env };
  // The outer npm hands its own command's settings down: they are not meant for this one.
  for (const name of Object.keys(env)) {
    if (
      /^npm_(lifecycle|package|command|config_(dry_run|omit|include|production|ignore_scripts))/i.test(name)
    ) {
      delete env[name];
    }
  }
  return new Promise((resolve) => {
    const child = known
      ? spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn(windows ? 'npm.cmd' : 'npm', args, {
          cwd,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
          shell: windows,
        });
    const end = () => child.kill();
    process.once('exit', end);
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ code: 127, stdout, output: String(error) }));
    child.on('close', (code) => {
      process.removeListener('exit', end);
      resolve({ code: code ?? 1, stdout, output });
    });
  });
}

/**
 * The reason npm failed and what to do about it, in one sentence.
 *
 * @param {string} output
 * @returns {string}
 */
export function explainNpmFailure(output) {
  if (/ENOENT.*npm|spawn npm|npm.*not (found|recognized)/i.test(output)) {
    return 'npm was not found: install npm (it comes with Node.js) and try again.';
  }
  if (/ENOSPC/.test(output)) {
    return 'The disk is full: free about 1 GB and try again.';
  }
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return 'npm may not write here: make the folder of this clone writable for you and try again.';
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|EIDLETIMEOUT/.test(
      output,
    )
  ) {
    return 'npm could not reach its registry: check the network connection or npm’s proxy settings and try again.';
  }
  if (/E40[13]|E407/.test(output)) {
    return 'npm’s registry refused access: check `npm config get registry` and its credentials, and try again.';
  }
  if (/EINTEGRITY/.test(output)) {
    return 'A package arrived damaged: run `npm cache verify` and try again.';
  }
  return 'npm failed: the end of what it said stands above.';
}

/**
 * @param {string} output
 * @param {number} count
 * @returns {string}
 */
export function lastLines(output, count) {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * Waits until nobody else holds the lock, takes it, does the work and gives it back. A lock whose process has died is
 * taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {() => void} [whenWaiting]
 * @returns {Promise<T>}
 */
export async function withLock(file, work, whenWaiting) {
  mkdirSync(path.dirname(file), { recursive: true });
  const mine = `${process.pid} ${randomUUID()}`;
  for (let told = false; ;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    }
    if (!takeAwayDeadLock(file)) {
      if (!told) {
        told = true;
        whenWaiting?.();
      }
      await delay(200);
    }
  }
  const giveBack = () => rmSync(file, { force: true });
  process.once('exit', giveBack);
  try {
    return await work();
  } finally {
    process.removeListener('exit', giveBack);
    giveBack();
  }
}

/**
 * @param {string} file
 * @returns {boolean} whether it is worth trying again at once
 */
function takeAwayDeadLock(file) {
  let holder;
  try {
    holder = readFileSync(file, 'utf8');
  } catch {
    return true;
  }
  const pid = Number.parseInt(holder, 10);
  if (!(pid > 0) || isAlive(pid)) {
    return false;
  }
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    // Between the reading and the renaming another process may have taken the lock over: then it is put back.
    if (readFileSync(aside, 'utf8') !== holder) {
      linkSync(aside, file);
    }
    rmSync(aside, { force: true });
  } catch {
    // Somebody else was faster.
  }
  return true;
}

/**
 * True while there is a process of that number, whoever's it is.
 *
 * @param {number} pid
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
