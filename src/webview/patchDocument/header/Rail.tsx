import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PatchView, RailPatch } from '../../../protocol/patchDocument.ts';
import { Toolbar } from '../../common/Toolbar.tsx';
import { useReading } from '../reading/reading.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** The stack, with a dot for each of its patches: its shape says what the person has done with it, and it leads there. */
export function Rail({ patch }: { patch: PatchView }) {
  const { position, rail = [], ref } = patch;
  const dots = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => centerPresent(dots.current), [ref.changeId, rail.length]);
  if (!position) {
    return <span class="rail" />;
  }
  const { index, count, stackTitle } = position;
  return (
    <nav class="rail" aria-label={l10n.t('Patches in the stack')}>
      <span class="stack-title" title={stackTitle}>
        <bdi>{stackTitle}</bdi>
      </span>
      <span>{l10n.t('Patch {0} of {1}', index, count)}</span>
      <span class="rail-dots" ref={dots}>
        <Toolbar label={l10n.t('Patches in the stack')}>
          {rail.map((one, at) => (
            <Dot
              key={one.changeId}
              patch={one}
              place={l10n.t('Patch {0} of {1}: {2}', at + 1, rail.length, one.title)}
              isPresent={one.changeId === ref.changeId}
            />
          ))}
        </Toolbar>
      </span>
    </nav>
  );
}

/** Shapes that codicons have; the others are in patchDocument.css. */
const icons: Partial<Record<RailPatch['mark'], string>> = {
  signedOff: 'codicon codicon-check',
  changesRequested: 'codicon codicon-request-changes',
};

function Dot({ patch, place, isPresent }: { patch: RailPatch; place: string; isPresent: boolean }) {
  const { host } = useReading();
  const { changeId, mark, words } = patch;
  const name = words === '' ? place : `${place}, ${words}`;
  return (
    <button
      type="button"
      class="rail-dot"
      data-mark={mark}
      title={name}
      aria-label={name}
      aria-current={isPresent ? 'page' : undefined}
      onClick={() => !isPresent && inBackground(host.request('openOther', { changeId }))}
    >
      <i class={icons[mark]} aria-hidden="true" />
    </button>
  );
}

/** Of many patches those around the present one are in sight. */
function centerPresent(dots: HTMLElement | null): void {
  const present = dots?.querySelector<HTMLElement>('[aria-current]');
  if (dots && present) {
    dots.scrollLeft = present.offsetLeft - dots.offsetLeft - (dots.clientWidth - present.offsetWidth) / 2;
  }
}
