import type { Draft, DraftContent, DraftSubject } from '../draft.ts';
import { sendNewSection } from './newSection.ts';
import { sendSectionDeletion } from './sectionDeletion.ts';
import { sendSectionOrder } from './sectionOrder.ts';
import { sendSectionText } from './sectionText.ts';
import type { Sender, Sending, SendResult } from './sender.ts';
import { sendSignOff } from './signOff.ts';
import { sendStack } from './stack.ts';

/** The kinds of drafts that can be sent without a form. */
export type SendableKind = Exclude<DraftSubject['kind'], 'form'>;

const senders: { [K in SendableKind]: Sender<K> } = {
  sectionText: sendSectionText,
  newSection: sendNewSection,
  sectionDeletion: sendSectionDeletion,
  sectionOrder: sendSectionOrder,
  signOff: sendSignOff,
  stack: sendStack,
};

/** What came of sending a draft of any kind. */
export type AnySendResult = SendResult<SendableKind> & { taken?: DraftContent };

/**
 * Sends a draft in the way of its kind.
 *
 * @throws what the client throws.
 */
export function send(
  { subject, content, attempt }: Draft,
  kind: SendableKind,
  service: Pick<Sending<SendableKind>, 'read' | 'write' | 'begunIn' | 'me'>,
): Promise<AnySendResult> {
  // The table has the sender of each kind, which TypeScript cannot follow for a kind that it does not know.
  const sender = senders[kind] as unknown as (sending: object) => Promise<AnySendResult>;
  return sender({ subject, content, attempt, ...service });
}
