import type { Patch } from '../api/types/patches.ts';
import { readSetting } from '../contributions.ts';
import { projectTemplate } from '../git/projectTemplate.ts';

/** The text that a section of a patch may begin with: the project's own, else the person's; empty when there is none. */
export async function sectionTemplate({ commitSha }: Patch): Promise<string> {
  return (await projectTemplate(commitSha)) ?? readSetting('sectionTemplate');
}
