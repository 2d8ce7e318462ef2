import type { PatchSection } from '../../../api/types/patches.ts';
import type { ChangeAttempt } from '../pendingChange.ts';
import type { Sender } from '../sender.ts';
import { sectionText } from './sectionText.ts';

/** Reads the patch before a section is added: to find its place, and to see whether an earlier try has arrived after all. */
export const sendNewSection: Sender<'newSection'> = async ({ subject, content, attempt, read, write }) => {
  const { patch } = subject;
  const { stackUuid, changeId } = patch;
  const { sections = [] } = await read((client, options) => client.patches.get(stackUuid, changeId, options));
  const isNew = ({ sectionType, code }: PatchSection): boolean =>
    sectionType === 'text' && attempt?.codes?.includes(code) === false;
  const added = attempt ? sections.filter(isNew) : [];
  const arrived = attempt && added.find((section) => isFrom(section, attempt));
  const [likely] = added.toSorted((one, other) => likeness(other, attempt) - likeness(one, attempt));
  if (likely && !arrived) {
    // The earlier try, which somebody has changed since, or a section of somebody else: only a person can tell.
    const { code } = likely;
    return { kind: 'conflict', base: '', theirs: sectionText(likely), mine: content.text, code };
  }
  const place = content.after === null ? 0 : sections.findIndex(({ code }) => code === content.after) + 1;
  // Where the section is gone that it was to follow, it goes to the end.
  const position = place === 0 && content.after !== null ? sections.length : place;
  const { text, after } = content;
  const section =
    arrived ??
    (await write(
      (client, options) =>
        client.patches.createSection(stackUuid, changeId, { type: 'text', text, position }, options),
      { text, codes: sections.map(({ code }) => code) },
    ));
  const { code } = section;
  const taken = arrived ? { text: attempt.text, after } : content;
  return {
    kind: 'sent',
    taken,
    code,
    change: { kind: 'newSection', patch, code, text: taken.text, follows: after },
    show: (shown) => {
      const others = shown.sections?.filter((other) => other.code !== code);
      return others ? { ...shown, sections: others.toSpliced(position, 0, section) } : shown;
    },
  };
};

/**
 * Whether a section that is new since is what was tried before: it has every line of it in order. Somebody else may have
 * added to it already, and a service may change how a text ends.
 */
function isFrom(section: PatchSection, attempt: ChangeAttempt): boolean {
  const tried = lines(attempt.text);
  let found = 0;
  for (const line of lines(sectionText(section))) {
    if (line === tried[found]) {
      found += 1;
    }
  }
  return found === tried.length;
}

/** How much of what was tried stands in a section: its lines, blank ones aside. */
function likeness(section: PatchSection, attempt: ChangeAttempt | undefined): number {
  const tried = new Set(lines(attempt?.text ?? ''));
  return lines(sectionText(section)).filter((line) => line !== '' && tried.has(line)).length;
}

function lines(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}
