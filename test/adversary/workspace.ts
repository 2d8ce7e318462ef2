/** A repository that means harm, read as a person does who tries the extension on it: nothing of it is executed. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import { repositoryFiles } from '../../src/feedback/repositoryFiles.ts';
import { repositoryAt } from '../../src/git/repository.ts';
import { commitOfRevision, tagNames } from '../../src/git/revisions.ts';
import { startService } from '../../src/service/service.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { Trial, type Attack } from './attack.ts';

const branches = [
  '--upload-pack=touch',
  '-x',
  '$(touch{IFS}x)',
  '`touch`',
  'a;touch',
  '\u202egnp.exe',
  '<img/src=x/onerror=alert(1)>',
  'refs/heads/main',
  'HEAD/x',
  'ünï/日本語/🎉',
  '%2e%2e%2f',
  'x'.repeat(200),
];

const files = [
  '--help',
  '-',
  '$(touch x)',
  '`touch x`',
  'a b\tc',
  'new\nline',
  '"quoted"',
  'back\\slash',
  '\u202egnp.exe',
  '<script>alert(1)</script>',
  'con.aux.nul',
  '.gitmodules',
  '.gitattributes.x',
  ':(exclude)x',
  '*?[x]',
  'ünï.日本語',
];

/** Names of what a repository lacks, and so may want to fetch. */
const missing = [
  '0123456789abcdef0123456789abcdef01234567',
  '0123456789abcdef0123456789abcdef01234567^{commit}',
  ':/Nothing',
  '--help',
  '@{u}',
];

/** Settings with which a repository has something executed; COMMAND leaves a mark. */
const settings: Record<string, string> = {
  'core.fsmonitor': 'COMMAND',
  'core.hooksPath': 'HOOKS',
  'core.pager': 'COMMAND',
  'core.editor': 'COMMAND',
  'core.askPass': 'COMMAND',
  'core.sshCommand': 'COMMAND',
  'core.gitProxy': 'COMMAND',
  'core.alternateRefsCommand': 'COMMAND',
  'diff.external': 'COMMAND',
  'diff.evil.command': 'COMMAND',
  'diff.evil.textconv': 'COMMAND',
  'filter.evil.clean': 'COMMAND',
  'filter.evil.smudge': 'COMMAND',
  'filter.evil.process': 'COMMAND',
  'merge.evil.driver': 'COMMAND',
  'alias.log': '!COMMAND',
  'alias.rev-list': '!COMMAND',
  'alias.diff-tree': '!COMMAND',
  'alias.for-each-ref': '!COMMAND',
  'credential.helper': '!COMMAND',
  'gpg.program': 'COMMAND',
  'log.showSignature': 'true',
  'uploadpack.packObjectsHook': 'COMMAND',
  'remote.origin.uploadpack': 'COMMAND',
  'extensions.partialClone': 'origin',
  'remote.origin.promisor': 'true',
  'remote.origin.url': 'ext::COMMAND',
  'protocol.ext.allow': 'always',
  'url.ext::COMMAND.insteadOf': 'https://',
};

export const attacks: readonly Attack[] = [
  {
    name: 'workspace: names, settings and hooks',
    async run() {
      const trial = new Trial();
      const directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-hostile-'));
      const mark = path.join(directory, 'executed');
      const command = path.join(directory, 'command');
      writeFileSync(command, `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`);
      chmodSync(command, 0o755);
      const hooks = path.join(directory, 'hooks');
      mkdirSync(hooks);
      for (const hook of [
        'pre-commit',
        'post-checkout',
        'reference-transaction',
        'post-index-change',
        'fsmonitor-watchman',
      ]) {
        writeFileSync(path.join(hooks, hook), `#!/bin/sh\n'${command}' ${hook}\n`, { mode: 0o755 });
      }
      const repository = GitRepository.withMain('hostile');
      const main = repository.git('rev-parse', 'HEAD');
      for (const branch of branches) {
        await trial.try(`the branch ${JSON.stringify(branch).slice(0, 40)} can be made`, () => {
          repository.git('checkout', '--quiet', '--detach', main);
          repository.write('src/a.ts', `// ${branch}\n`);
          repository.commit(`On ${branch}`);
          repository.git('update-ref', `refs/heads/${branch}`, 'HEAD');
        });
      }
      repository.git('checkout', '--quiet', '-b', 'names', main);
      for (const name of files) {
        repository.write(name, 'x\n');
      }
      repository.write('.gitattributes', '* diff=evil filter=evil merge=evil\n');
      repository.commit('Names that are none');
      // Git asks the program that the repository names whether a signature is good.
      const signed = repository
        .git('cat-file', 'commit', main)
        .replace(
          /\n\n[^]*$/,
          '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\nSigned\n',
        );
      const sha = repository.gitWithInput(signed, 'hash-object', '-t', 'commit', '-w', '--stdin');
      repository.git('tag', 'signed', sha);
      for (const [name, value] of Object.entries(settings)) {
        const text = value.replace('COMMAND', command).replace('HOOKS', hooks);
        repository.git('config', name.replace('COMMAND', command), text);
      }

      await trial.try('it is read', async () => {
        const service = await startService({
          repository: repository.directory,
          dataDirectory: path.join(directory, 'data'),
        });
        try {
          await using client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
          const [project] = (await client.projects.list()).items;
          const stacks = (await client.stacks.list(project?.repositoryId ?? '')).items;
          const named = new Set(stacks.map(({ branchId }) => branchId));
          for (const branch of [...branches, 'names']) {
            await trial.try(`the branch ${JSON.stringify(branch).slice(0, 40)} is shown`, () => {
              assert.ok(named.has(branch));
            });
          }
          const stack = stacks.find(({ branchId }) => branchId === 'names');
          const change = stack?.patches?.at(0)?.changeId ?? '';
          const patch = await client.patches.get(stack?.uuid ?? '', change);
          const paths = new Set(patch.sections?.map((one) => ('newPath' in one ? one.newPath : undefined)));
          for (const name of files) {
            await trial.try(`the file ${JSON.stringify(name)} is shown`, () => {
              // A name that begins with a quotation mark is written the way git quotes it.
              assert.ok(paths.has(name.startsWith('"') ? JSON.stringify(name) : name));
            });
          }
        } finally {
          await service.close();
        }
      });
      await trial.try('it is asked for what a release and feedback need', async () => {
        const opened = repositoryAt('git', repository.directory);
        const { files: found, unreadable } = await repositoryFiles(opened, '');
        const listed = new Set([...found.map((file) => file.path), ...unreadable]);
        assert.deepEqual(
          files.filter((name) => !listed.has(name)),
          [],
        );
        assert.deepEqual(await tagNames(opened), ['signed']);
        assert.equal((await commitOfRevision(opened, 'signed'))?.subject, 'Signed');
        for (const name of [...branches, ...missing]) {
          await trial.try(`the revision ${JSON.stringify(name).slice(0, 40)} is looked for`, async () => {
            await commitOfRevision(opened, name);
          });
        }
      });
      // Each of them would have left the mark.
      trial.tried += Object.keys(settings).length;
      await trial.try('nothing of it is executed', () =>
        assert.ok(!existsSync(mark), existsSync(mark) ? readFileSync(mark, 'utf8') : ''),
      );
      rmSync(directory, { recursive: true, force: true });
      rmSync(path.dirname(repository.directory), { recursive: true, force: true });
      return trial;
    },
  },
];
