/**
 * Sends changes into the newest version of their patch stack, whichever version they were begun in: when the service refuses
 * because there is a newer one by then, into that.
 */
import { isApiError } from '../../api/errors.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import type { AskService } from '../askService.ts';
import type { Model } from '../model.ts';
import {
  newerVersion,
  newestNamedBy,
  standingAfter,
  standingOf,
  type StackVersion,
  type Standing,
} from '../newestVersion.ts';
import { kindOf, type ChangeContent, type ChangeSubject, type WrittenChange } from './kinds/index.ts';
import type { PendingChange } from './pendingChange.ts';
import type { Sending, SendResult } from './sending.ts';
import type { PatchRef } from '../../util/patchRef.ts';

export interface SendContext extends Pick<Sending<ChangeSubject, ChangeContent>, 'read' | 'write'> {
  ask: AskService;
  model: Model;
  /** Notes that what was tried last was refused: that try did nothing. */
  takeBackAttempt: () => void;
  signal: AbortSignal | undefined;
}

/** The destination of a change: the newest version of its patch stack; or that version alone, when it has no such patch. */
type Destination =
  | { subject: ChangeSubject; begunIn?: PatchRef; newest?: StackVersion }
  | { subject?: undefined; newest: StackVersion };

export interface Arrival {
  result: SendResult<ChangeContent, WrittenChange> | { kind: 'patchGone' | 'form' };
  /** Its subject there; missing when the newest version has no such patch. */
  subject?: ChangeSubject;
  /** The patch that it was begun in, and the version that it went into, when that is another one. */
  begunIn?: PatchRef;
  newest?: StackVersion;
}

/** A change follows its patch stack into yet another version this often while it is sent. */
const mostMoves = 3;

/**
 * What a change is to take the place of is read again this often, when someone else was faster. Each time somebody has got on; the next try
 * isn't held against what was read, so that a service that never says yes keeps nobody from saving.
 */
const mostReadings = 10;

/**
 * See the module.
 *
 * @throws what the client throws.
 */
export async function sendToNewest(
  { content, attempt }: PendingChange,
  begun: ChangeSubject,
  context: SendContext,
): Promise<Arrival> {
  const { model, read, write, takeBackAttempt } = context;
  let destination = await destinationOf(begun, context);
  let moves = 1;
  for (let readings = 1; ; readings += 1) {
    if (!destination.subject) {
      return { newest: destination.newest, result: { kind: 'patchGone' } };
    }
    const { subject, begunIn } = destination;
    try {
      const sending = {
        subject,
        content,
        attempt,
        begunIn,
        me: model.me,
        believed: readings === 1 ? await believedOf(subject, context) : undefined,
        read,
        write: readings <= mostReadings ? write : withoutComparing(write),
      };
      const result = (await kindOf(subject).send?.(sending)) ?? { kind: 'form' };
      if (result.kind === 'deleted') {
        takeBackAttempt();
      }
      return { ...destination, result };
    } catch (error) {
      const newest = newestNamedBy(error);
      if (isOvertaken(error) && readings <= mostReadings) {
        takeBackAttempt();
        continue;
      }
      if (!newest || moves === mostMoves || newest.uuid === stackOf(subject)) {
        throw error;
      }
      takeBackAttempt();
      moves += 1;
      destination = await destinationAfter(begun, newest, context);
    }
  }
}

/** The sections of the patch as they are known here; undefined for a service that doesn't compare before it writes. */
async function believedOf(
  subject: ChangeSubject,
  { ask, model }: SendContext,
): Promise<readonly PatchSection[] | undefined> {
  return 'patch' in subject && (await ask(async (client) => client.comparesBeforeWriting))
    ? model.knownPatch(subject.patch)?.value.sections
    : undefined;
}

/** True when the service has compared what it was to replace with what was read, and it is something else by now. */
function isOvertaken(error: unknown): boolean {
  return isApiError(error) && error.status === 412;
}

function withoutComparing(write: SendContext['write']): SendContext['write'] {
  return (operation, { attempt } = {}) => write(operation, { ...(attempt && { attempt }) });
}

/**
 * Asks the service, for the newest version known here may be an old one by now: it answers with the whole stack. One that refuses what
 * is for an older version needn't be asked; but whether a sign-off is there already tells only the version that it is for.
 */
async function destinationOf(subject: ChangeSubject, context: SendContext): Promise<Destination> {
  const { ask, model, signal } = context;
  if (subject.kind !== 'signOff' && (await ask(async (client) => client.refusesOlderVersions))) {
    return { subject };
  }
  if ('patch' in subject) {
    const standing = await standingOf(ask, model.located(subject.patch), signal);
    return destinationIn(subject, standing, model);
  }
  const newest = 'stackUuid' in subject && (await newerVersion(ask, subject, signal));
  return newest ? { subject: { ...subject, stackUuid: newest.uuid }, newest } : { subject };
}

async function destinationAfter(
  subject: ChangeSubject,
  newest: StackVersion,
  { ask, model, signal }: SendContext,
): Promise<Destination> {
  if ('patch' in subject) {
    const standing = await standingAfter(ask, model.located(subject.patch), newest, signal);
    return destinationIn(subject, standing, model);
  }
  return 'stackUuid' in subject ? { subject: { ...subject, stackUuid: newest.uuid }, newest } : { subject };
}

function destinationIn(
  subject: Extract<ChangeSubject, { patch: PatchRef }>,
  standing: Standing,
  model: Model,
): Destination {
  const begunIn = model.located(subject.patch);
  model.noteStanding(begunIn, standing);
  switch (standing.kind) {
    case 'newest':
    case 'unknown':
      return { subject };
    case 'older':
      return { subject: { ...subject, patch: standing.patch }, begunIn, newest: standing.newest };
    case 'gone':
      return { newest: standing.newest };
  }
}

/** The version of the patch stack that a change is about. */
function stackOf(subject: ChangeSubject): string | undefined {
  const place = 'patch' in subject ? subject.patch : subject;
  return 'stackUuid' in place ? place.stackUuid : undefined;
}
