import type { PendingChange, ChangeContent, ChangeSubject } from './pendingChange.ts';
import { sendNewSection } from './kinds/newSection.ts';
import { sendSectionDeletion } from './kinds/sectionDeletion.ts';
import { sendSectionOrder } from './kinds/sectionOrder.ts';
import { sendSectionText } from './kinds/sectionText.ts';
import type { Sender, Sending, SendResult } from './sender.ts';
import { sendSignOff } from './kinds/signOff.ts';
import { sendStack } from './kinds/stack.ts';

/** The kinds of pending changes that can be sent without a form. */
export type SendableKind = Exclude<ChangeSubject['kind'], 'form'>;

const senders: { [K in SendableKind]: Sender<K> } = {
  sectionText: sendSectionText,
  newSection: sendNewSection,
  sectionDeletion: sendSectionDeletion,
  sectionOrder: sendSectionOrder,
  signOff: sendSignOff,
  stack: sendStack,
};

/** What came of sending a pending change of any kind. */
export type AnySendResult = SendResult<SendableKind> & { taken?: ChangeContent };

/**
 * Sends a pending change in the way of its kind.
 *
 * @throws what the client throws.
 */
export function send(
  { subject, content, attempt }: PendingChange,
  kind: SendableKind,
  service: Pick<Sending<SendableKind>, 'read' | 'write' | 'begunIn' | 'me'>,
): Promise<AnySendResult> {
  // The table has the sender of each kind, which TypeScript cannot follow for a kind that it does not know.
  const sender = senders[kind] as unknown as (sending: object) => Promise<AnySendResult>;
  return sender({ subject, content, attempt, ...service });
}
