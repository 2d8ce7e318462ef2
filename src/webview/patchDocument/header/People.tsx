import * as l10n from '@vscode/l10n';
import { Fragment } from 'preact';
import type { PersonView } from '../../../protocol/patchDocument.ts';
import { Avatar } from '../../common/Avatar.tsx';
import { SignatureNote } from '../../common/SignatureNote.tsx';
import { TextButton } from '../../common/TextButton.tsx';
import { useReading } from '../reading/reading.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** People with their pictures, each of whom shows their user when the service has one by that login. */
export function People(props: { people: readonly PersonView[]; avatars: ReadonlyMap<string, string> }) {
  return (
    <span class="people">
      {props.people.map((person, index) => (
        <Fragment key={index}>
          <Person person={person} picture={props.avatars.get(person.avatar ?? '')} />
          <SignatureNote name={person.name} state={person.signature} />
        </Fragment>
      ))}
    </span>
  );
}

function Person({ person, picture }: { person: PersonView; picture: string | undefined }) {
  const { host } = useReading();
  const { name, login } = person;
  const content = (
    <>
      <Avatar name={name} source={picture} size="tiny" />
      <bdi>{name}</bdi>
    </>
  );
  return login === undefined ? (
    <span class="person-name">{content}</span>
  ) : (
    <TextButton
      class="link-button person-name"
      title={l10n.t('Show {0}', login)}
      onPress={() => inBackground(host.request('showUser', { login }))}
    >
      {content}
    </TextButton>
  );
}
