/** What can be said of the content of a draft, by its kind. */
import type { Draft, DraftContent, DraftContents, DraftSubject, StackFields } from './pendingChange.ts';

type Kind = DraftSubject['kind'];
type Content = { [K in Kind]: { kind: K; content: DraftContents[K] } }[Kind];

function contentOf({ kind }: DraftSubject, content: DraftContent): Content {
  return { kind, content } as Content;
}

/** Whether a draft changes nothing, so that there is nothing to keep. What the service may have already is kept. */
export function isNothing({ subject, content, state, attempt }: Draft): boolean {
  if (state === 'sending' || attempt) {
    return false;
  }
  const change = contentOf(subject, content);
  switch (change.kind) {
    case 'sectionText':
      return change.content.text === change.content.base;
    case 'newSection':
      return change.content.text === '';
    case 'sectionDeletion':
    case 'signOff':
      return false;
    case 'sectionOrder':
      return isSameList(change.content.base, change.content.order);
    case 'stack': {
      const { base, fields } = change.content;
      return fieldNames.every((name) => fields[name] === undefined || fields[name] === base[name]);
    }
    case 'form':
      return Object.keys(change.content.fields).length === 0;
  }
}

/** What a draft holds when this is typed into it: it began where it began. */
export function goOn(before: Draft, typed: DraftContent): DraftContent {
  const change = contentOf(before.subject, typed);
  const { content } = before;
  switch (change.kind) {
    case 'sectionText':
    case 'sectionOrder':
      return 'base' in content ? ({ ...typed, base: content.base } as DraftContent) : typed;
    case 'stack': {
      const { base, fields } = content as typeof change.content;
      // A field that was not in it yet begins now.
      const kept = Object.fromEntries(
        fieldNames.filter((name) => fields[name] !== undefined).map((name) => [name, base[name]]),
      ) as Partial<StackFields>;
      return { ...change.content, base: { ...change.content.base, ...kept } };
    }
    case 'newSection':
    case 'sectionDeletion':
    case 'signOff':
    case 'form':
      return typed;
  }
}

/** What stays of a draft when the service has taken an earlier content of it. */
export function onNewBase({ subject, content }: Draft, taken: DraftContent): DraftContent {
  const change = contentOf(subject, content);
  switch (change.kind) {
    case 'sectionText':
      return { ...change.content, base: (taken as typeof change.content).text };
    case 'sectionOrder':
      return { ...change.content, base: (taken as typeof change.content).order };
    case 'stack': {
      const { base, fields } = taken as typeof change.content;
      return { ...change.content, base: { ...base, ...fields } };
    }
    case 'newSection':
    case 'sectionDeletion':
    case 'signOff':
    case 'form':
      return content;
  }
}

/** What a draft holds when a person has decided on a text, having seen the service's. */
export function decided({ subject, content, failure }: Draft, theirs: string, text: string): DraftContent {
  const change = contentOf(subject, content);
  switch (change.kind) {
    case 'sectionText':
      return { base: theirs, text };
    case 'sectionDeletion':
      return { ...change.content, text: theirs };
    case 'sectionOrder': {
      const base = failure?.order?.map(({ identifier }) => identifier);
      return { ...change.content, ...(base && { base }) };
    }
    case 'stack': {
      const { base, fields } = change.content;
      const { field } = failure ?? {};
      return field ? { base: { ...base, [field]: theirs }, fields: { ...fields, [field]: text } } : content;
    }
    case 'newSection':
    case 'signOff':
    case 'form':
      return content;
  }
}

const fieldNames = ['title', 'description'] as const;

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}
