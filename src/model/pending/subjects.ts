/** The places that changes are about; apart from their kinds, so that rows can be marked before any change is loaded. */
import type { PatchRef } from '../../util/patchRef.ts';
import type { ChangeSubject, WrittenChange } from './kinds/index.ts';

/** The patch that a subject is in, if it is in one; also that of a change that the service has taken. */
export function patchOf(subject: ChangeSubject | WrittenChange): PatchRef | undefined {
  return 'patch' in subject ? subject.patch : undefined;
}

/** The project and the patch stack that a subject is in, as far as it is in one. */
export function placeOf(subject: ChangeSubject): { projectId?: string | undefined; stackUuid?: string } {
  // A form that is about something is about a project.
  return (
    patchOf(subject) ??
    ('stackUuid' in subject ? subject : { projectId: 'about' in subject ? subject.about : undefined })
  );
}
