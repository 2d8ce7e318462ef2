/** What can be said of the content of a pending change, by its kind. */
import type {
  PendingChange,
  ChangeContent,
  ChangeContents,
  ChangeSubject,
  StackFields,
} from './pendingChange.ts';

type Kind = ChangeSubject['kind'];
type Content = { [K in Kind]: { kind: K; content: ChangeContents[K] } }[Kind];

function contentOf({ kind }: ChangeSubject, content: ChangeContent): Content {
  return { kind, content } as Content;
}

/** Whether a pending change changes nothing, so that there is nothing to keep. What the service may have already is kept. */
export function isNothing({ subject, content, state, attempt }: PendingChange): boolean {
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

/** What a pending change holds when this is typed into it: it began where it began. */
export function goOn(before: PendingChange, typed: ChangeContent): ChangeContent {
  const change = contentOf(before.subject, typed);
  const { content } = before;
  switch (change.kind) {
    case 'sectionText':
    case 'sectionOrder':
      return 'base' in content ? ({ ...typed, base: content.base } as ChangeContent) : typed;
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

/** What stays of a pending change when the service has taken an earlier content of it. */
export function onNewBase({ subject, content }: PendingChange, taken: ChangeContent): ChangeContent {
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

/** What a pending change holds when a person has decided on a text, having seen the service's. */
export function decided(
  { subject, content, failure }: PendingChange,
  theirs: string,
  text: string,
): ChangeContent {
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
