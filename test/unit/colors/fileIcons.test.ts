import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileIcons } from '../../../src/colors/fileIcons.ts';
import type { FilesWithIcons } from '../../../src/util/fileIcon.ts';

const languages = [
  { id: 'typescript', endings: ['.ts'], fileNames: [] },
  { id: 'types', endings: ['.d.ts'], fileNames: [] },
  { id: 'docker', endings: [], fileNames: ['dockerfile'] },
];

const theme = {
  fonts: [{ id: 'letters', src: [{ path: './letters.woff', format: 'woff' }], size: '150%' }],
  iconDefinitions: {
    plain: { fontCharacter: '\\E001', fontColor: '#111111' },
    light: { fontCharacter: '\\E001', fontColor: '#eeeeee' },
    ts: { fontCharacter: 'T', fontId: 'letters' },
    types: { iconPath: '../images/types.svg' },
    ending: { fontCharacter: 'E' },
    name: { fontCharacter: 'N' },
    odd: { iconPath: '../images/none.exe' },
    gone: { iconPath: '../images/gone.svg' },
  },
  file: 'plain',
  fileNames: { makefile: 'name', '.github/ci.yml': 'name' },
  fileExtensions: { 'test.ts': 'ending', exe: 'odd', gone: 'gone' },
  languageIds: { typescript: 'ts', types: 'types', docker: 'name' },
  light: { file: 'light' },
};

describe('icons of files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'file-icons-'));
    mkdirSync(path.join(folder, 'theme'));
    mkdirSync(path.join(folder, 'images'));
    writeFileSync(path.join(folder, 'theme', 'theme.json'), JSON.stringify(theme));
    writeFileSync(path.join(folder, 'theme', 'letters.woff'), 'letters');
    writeFileSync(path.join(folder, 'images', 'types.svg'), '<svg/>');
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = async (paths: string[], kind: FilesWithIcons['kind'] = 'dark') => {
    const found = await fileIcons(path.join(folder, 'theme', 'theme.json'), languages, { paths, kind });
    return { ...found, of: paths.map((file) => found.icons[found.files[file] ?? -1]) };
  };

  it('are those of the name, else of the longest ending, else of the language, else the one for any file', async () => {
    const { of } = await read([
      'a/Makefile',
      '.github/ci.yml',
      'ci.yml',
      'a.test.ts',
      'a.ts',
      'a.d.ts',
      'Dockerfile',
    ]);
    const letter = (character: string) => ({ character, font: 0 });
    assert.deepEqual(of, [
      letter('N'),
      letter('N'),
      { character: '\ue001', font: 0, color: '#111111' },
      letter('E'),
      letter('T'),
      { image: `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}` },
      letter('N'),
    ]);
  });

  it('are others in light themes, where the icon theme has others', async () => {
    const { of } = await read(['a.txt', 'a.ts'], 'light');
    assert.deepEqual(of, [
      { character: '\ue001', font: 0, color: '#eeeeee' },
      { character: 'T', font: 0 },
    ]);
  });

  it('come with each font once, and with none that nothing is drawn with', async () => {
    const { fonts } = await read(['a.txt', 'a.ts']);
    assert.deepEqual(fonts, [{ content: Buffer.from('letters').toString('base64'), size: '150%' }]);
    assert.deepEqual((await read(['a.d.ts'])).fonts, []);
  });

  it('are left out when they are no images, or not there', async () => {
    assert.deepEqual((await read(['a.exe', 'a.gone'])).of, [undefined, undefined]);
    await assert.rejects(fileIcons(path.join(folder, 'none.json'), languages, { paths: [], kind: 'dark' }));
  });
});
