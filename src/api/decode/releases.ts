import type { Release, ReleaseBuild } from '../types/releases.ts';
import { at, identifier, items, record, text } from './values.ts';

const build = record<ReleaseBuild>(
  {
    os: at('os', text),
    arch: at('arch', text),
    url: at('url', text),
    file: at('file', text),
    platform: at('platform', text),
  },
  [],
);

/** One release. */
export const release = record<Release>(
  {
    version: at('version', identifier),
    notes: at('notes', text),
    sha: at('sha', text),
    channel: at('channel', text),
    buildVersion: at('build_version', text),
    releasedAt: at('released_at', text),
    builds: at('builds', items(build)),
  },
  ['version'],
);
