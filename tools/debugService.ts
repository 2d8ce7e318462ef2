/**
 * Runs the local service over this clone for debugging sessions (F5), and hands each of them a sign-in to it. Runs until it is
 * stopped.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../src/service/errors.ts';
import { openService } from './localService.ts';
import { stopRequested } from './processes.ts';
import { say } from './progress.ts';
import { root, testFolder } from './provision.ts';
import { SignInFile } from './signInFile.ts';

const directory = path.join(testFolder, 'debug');
const file = path.join(directory, 'sign-in.env');

try {
  await mkdir(directory, { recursive: true });
  const service = await openService({ repository: root, dataDirectory: path.join(directory, 'service') });
  const signInFile = new SignInFile(directory, service);
  signInFile.write();
  // The next session finds one again.
  const watcher = signInFile.onTaken(() => signInFile.write());
  const lines = Object.entries(signInFile.environment).map(([name, value]) => `${name}='${value ?? ''}'\n`);
  await writeFile(file, lines.join(''));
  say(`The local service is ready at ${service.url}`);
  await stopRequested();
  watcher.close();
  signInFile.delete();
  await rm(file, { force: true });
  await service.close();
} catch (error) {
  process.stderr.write(`${error instanceof ServiceError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
