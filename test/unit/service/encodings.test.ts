import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDeclaredEncodings } from '../../../src/service/git/declaredEncodings.ts';
import { RepositoryDecoder } from '../../../src/service/git/encodings.ts';

/** The bytes of a text: what decodes to it. */
function encode(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  for (let first = 0x80; first < 0x100; first++) {
    bytes.set(decoder.decode(Uint8Array.of(first)), [first]);
    for (let second = 0x40; second < 0x100; second++) {
      const pair = decoder.decode(Uint8Array.of(first, second));
      if (Array.from(pair).length === 1 && !bytes.has(pair)) {
        bytes.set(pair, [first, second]);
      }
    }
  }
  return Buffer.from(
    Array.from(text).flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : (bytes.get(one) ?? []))),
  );
}

const texts = {
  Shift_JIS: '// 設定ファイルを読み込んで、表示を更新する。ソ、表、能\nint 値 = 0; // ｱｲｳ\n',
  'EUC-JP': '// 設定ファイルを読み込んで、表示を更新する。\n// これは日本語の説明です。\n',
  GB18030: '// 这个函数读取配置文件，然后更新显示。\n// 如果没有找到文件就返回。\n',
  Big5: '// 這個函數讀取設定檔，然後更新顯示。\n// 如果沒有找到檔案就返回。\n',
  'EUC-KR': '// 설정 파일을 읽고 화면을 갱신합니다.\n// 파일이 없으면 돌아갑니다.\n',
  'windows-1251':
    '// Эта функция читает файл настроек и обновляет экран.\n// Если файла нет, она возвращается.\n',
  'KOI8-R': '// Эта функция читает файл настроек и обновляет экран.\n// Если файла нет, она возвращается.\n',
  'windows-1252': '// Diese Funktion liest die Einstellungen für größere Flächen und überträgt sie.\n',
};

describe('the encoding of a repository', () => {
  for (const [encoding, text] of Object.entries(texts)) {
    it(`is found where it is ${encoding}`, () => {
      assert.equal(new RepositoryDecoder().decode(encode(text, encoding)).text, text);
    });
  }

  it('is UTF-8 where it can be, and nothing is said of that', () => {
    assert.deepEqual(new RepositoryDecoder(() => 'Shift_JIS').decode(Buffer.from('größer 日本')), {
      text: 'größer 日本',
      encoding: undefined,
    });
  });

  it('is for a few characters what it is elsewhere', () => {
    const decoder = new RepositoryDecoder();
    decoder.decode(encode(texts.Shift_JIS, 'Shift_JIS'));
    assert.deepEqual(decoder.decode(encode('表', 'Shift_JIS')), { text: '表', encoding: 'Shift_JIS' });
  });

  it('is what most of the repository is in where a guess would be another', () => {
    const alone = encode('Ж', 'windows-1251');
    assert.notEqual(new RepositoryDecoder().decode(alone).text, 'Ж');
    const decoder = new RepositoryDecoder();
    decoder.decode(encode(texts['windows-1251'], 'windows-1251'));
    assert.deepEqual(decoder.decode(alone), { text: 'Ж', encoding: 'windows-1251' });
  });

  it('is what a text is surely in, whatever the rest of the repository is in', () => {
    const decoder = new RepositoryDecoder();
    decoder.decode(encode(texts['windows-1252'], 'windows-1252'));
    assert.deepEqual(decoder.decode(encode(texts['EUC-JP'], 'EUC-JP')), {
      text: texts['EUC-JP'],
      encoding: 'EUC-JP',
    });
  });

  it('is Western European for a few letters that stand alone', () => {
    assert.equal(
      new RepositoryDecoder().decode(Buffer.from('cr\xe8me br\xfbl\xe9e\n', 'latin1')).text,
      'crème brûlée\n',
    );
  });

  it('is what the repository says', () => {
    const bytes = encode('Ж', 'windows-1251');
    assert.equal(new RepositoryDecoder(() => 'windows-1251').decode(bytes).text, 'Ж');
    assert.equal(new RepositoryDecoder(() => 'windows-1252').decode(bytes).text, 'Æ');
  });

  it('is none for bytes that are in none: they are shown', () => {
    const { text, encoding } = new RepositoryDecoder().decode(
      Buffer.from('a\xff\xfe\x81\x8d\x90b', 'latin1'),
    );
    assert.equal(encoding, 'bytes');
    assert.equal(text, 'a\\xFF\\xFE\\x81\\x8D\\x90b');
  });

  it('may be another one on each side of a diff, and has nothing to do with names', () => {
    const header =
      'diff --git a/caf\xe9 b/caf\xe9\nindex 1..2 100644\n--- a/caf\xe9\n+++ b/caf\xe9\n@@ -1,2 +1,2 @@\n';
    const old = encode(texts.Shift_JIS.replaceAll(/^/gm, '-').slice(0, -1), 'Shift_JIS');
    const diff = Buffer.concat([
      Buffer.from(header, 'latin1'),
      old,
      Buffer.from(texts.Shift_JIS.replaceAll(/^/gm, '+').slice(0, -1)),
      Buffer.from('\\ No newline at end of file\n'),
    ]);
    const { text, encoding } = new RepositoryDecoder().decodeDiff(diff);
    assert.equal(encoding, 'Shift_JIS');
    assert.equal(
      text,
      `${header.replaceAll('\xe9', '\\xE9')}${texts.Shift_JIS.replaceAll(/^/gm, '-').slice(0, -1)}${texts.Shift_JIS.replaceAll(
        /^/gm,
        '+',
      ).slice(0, -1)}\\ No newline at end of file\n`,
    );
  });

  it('is declared for VS Code or for all editors', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-encoding-'));
    try {
      assert.equal((await readDeclaredEncodings(directory))(), undefined);
      writeFileSync(
        path.join(directory, '.editorconfig'),
        'root = true\r\n[*]\r\ncharset = latin1\r\n[*.md]\ncharset = utf-8\n',
      );
      assert.equal((await readDeclaredEncodings(directory))(), 'windows-1252');
      mkdirSync(path.join(directory, '.vscode'));
      writeFileSync(
        path.join(directory, '.vscode/settings.json'),
        '{ // ours\n "files.encoding": "shiftjis" }',
      );
      assert.equal((await readDeclaredEncodings(directory))(), 'Shift_JIS');
      assert.equal((await readDeclaredEncodings(directory, 'eucjp'))(), 'Shift_JIS');
      rmSync(path.join(directory, '.vscode'), { recursive: true });
      rmSync(path.join(directory, '.editorconfig'));
      assert.equal((await readDeclaredEncodings(directory, 'eucjp'))(), 'EUC-JP');
      assert.equal((await readDeclaredEncodings(directory, 'utf8'))(), undefined);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('is declared for some of the files, for editors or for Git, before it is for all', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-encoding-'));
    try {
      writeFileSync(
        path.join(directory, '.editorconfig'),
        '[*]\ncharset = latin1\n\n[*.{java,jsp}]\nindent_size = 2\ncharset = shift_jis\n\n[*.md]\ncharset=utf-8\n',
      );
      writeFileSync(
        path.join(directory, '.gitattributes'),
        '# Ours\n*.txt text encoding=koi8-r\n/old/*.java working-tree-encoding=EUC-JP\n*.png binary\n',
      );
      const declared = await readDeclaredEncodings(directory);
      const files = ['a.c', 'src/a.java', 'a.jsp', 'a.md', 'deep/a.txt', 'old/a.java', '../a.c'];
      assert.deepEqual(
        files.map((file) => declared(file)),
        ['windows-1252', 'Shift_JIS', 'Shift_JIS', undefined, 'KOI8-R', 'EUC-JP', 'windows-1252'],
      );
      const bytes = encode('@@ -0,0 +1 @@\n+表\n', 'Shift_JIS');
      assert.equal(new RepositoryDecoder(declared).decodeDiff(bytes, 'a.java').text, '@@ -0,0 +1 @@\n+表\n');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
