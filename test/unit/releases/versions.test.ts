import assert from 'node:assert/strict';
import fc from 'fast-check';
import { versionInManifest, versionOfTags } from '../../../src/releases/versions.ts';

describe('the version of a release', () => {
  it('is read from the files that say one', () => {
    assert.equal(versionInManifest('package.json', '{"version": "1.2.3-beta.1"}'), '1.2.3-beta.1');
    assert.equal(versionInManifest('Cargo.toml', '[package]\nversion = "0.3.1"\n'), '0.3.1');
    assert.equal(
      versionInManifest(
        'Cargo.toml',
        '[package]\nversion.workspace = true\n[workspace.package]\nversion = "2.0.0"\n',
      ),
      '2.0.0',
    );
    assert.equal(versionInManifest('pyproject.toml', '[project]\nversion = "4.5.6"\n'), '4.5.6');
    assert.equal(versionInManifest('pyproject.toml', '[tool.poetry]\nversion = "4.5.7"\n'), '4.5.7');
  });

  it('is not there in files that say none, whatever else they say', () => {
    for (const text of [
      '',
      '{',
      '{"version": 3}',
      '{"version": ""}',
      '[]',
      'null',
      '{"version": {"a": 1}}',
    ]) {
      assert.equal(versionInManifest('package.json', text), undefined, text);
    }
    assert.equal(versionInManifest('pyproject.toml', '[project]\ndynamic = ["version"]\n'), undefined);
    fc.assert(
      fc.property(fc.string(), (text) => {
        versionInManifest('package.json', text);
        versionInManifest('Cargo.toml', text);
        versionInManifest('pyproject.toml', text);
      }),
    );
  });

  it('is that of the highest tag, not of the last in the alphabet', () => {
    assert.deepEqual(versionOfTags(['v0.9.0', 'v0.10.0', 'latest', 'v0.10.0-rc.1']), {
      version: '0.10.0',
      source: 'v0.10.0',
    });
    assert.deepEqual(versionOfTags(['release/1.4.2', 'app-v1.5.0']), {
      version: '1.5.0',
      source: 'app-v1.5.0',
    });
    assert.equal(versionOfTags(['latest', 'stable-2', '']), undefined);
  });
});
