import * as l10n from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import { useRemembered } from '../reading/reading.ts';

type Way = 'sideBySide' | 'swipe' | 'onionSkin';

/** An image before and after a change: beside each other, or on each other with a slider between them. */
export function ImageSides({ before, after }: { before: string | undefined; after: string | undefined }) {
  const [way, setWay] = useRemembered<Way>('images', 'sideBySide');
  const [only] = [before, after].flatMap((address) => address ?? []);
  if (before === undefined || after === undefined) {
    return (
      <div class="images">
        <Image address={only ?? ''} name={before === undefined ? l10n.t('After') : l10n.t('Before')} />
      </div>
    );
  }
  const ways: Record<Way, string> = {
    sideBySide: l10n.t('Side by Side'),
    swipe: l10n.t('Swipe'),
    onionSkin: l10n.t('Onion Skin'),
  };
  return (
    <>
      <Ways ways={ways} chosen={way} onChoose={setWay} />
      {way === 'sideBySide' ? (
        <div class="images">
          <Image address={before} name={l10n.t('Before')} />
          <Image address={after} name={l10n.t('After')} />
        </div>
      ) : (
        <Overlaid before={before} after={after} way={way} name={ways[way]} />
      )}
    </>
  );
}

function Ways({
  ways,
  chosen,
  onChoose,
}: {
  ways: Record<Way, string>;
  chosen: Way;
  onChoose: (way: Way) => void;
}) {
  const group = useId();
  return (
    <fieldset class="image-ways">
      <legend class="visually-hidden">{l10n.t('Compare Images')}</legend>
      {(Object.keys(ways) as Way[]).map((way) => (
        <label key={way}>
          <input type="radio" name={group} checked={way === chosen} onChange={() => onChoose(way)} />
          {ways[way]}
        </label>
      ))}
    </fieldset>
  );
}

/** One image, with its size once it is there. */
function Image({ address, name }: { address: string; name: string }) {
  const [size, setSize] = useState<string>();
  return (
    <figure>
      <img
        src={address}
        alt={name}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(l10n.t('{0} × {1}', naturalWidth, naturalHeight))
        }
      />
      <figcaption>
        {name}
        {size !== undefined && <span class="image-size">{size}</span>}
      </figcaption>
    </figure>
  );
}

/** Both images on each other: the slider is where the earlier one ends and the later begins, or how much of that shines through. */
function Overlaid(props: { before: string; after: string; way: 'swipe' | 'onionSkin'; name: string }) {
  const { before, after, way, name } = props;
  const [shown, setShown] = useState(50);
  return (
    <div class="overlaid" data-way={way} style={{ '--shown': shown / 100 }}>
      <label class="overlaid-slider">
        <span>{l10n.t('Before')}</span>
        <input
          type="range"
          min={0}
          max={100}
          value={shown}
          aria-label={name}
          aria-valuetext={l10n.t('{0} % of the image after', way === 'swipe' ? 100 - shown : shown)}
          onInput={({ currentTarget }) => setShown(currentTarget.valueAsNumber)}
        />
        <span>{l10n.t('After')}</span>
      </label>
      <div
        class="overlaid-images"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setShown(placeOf(event));
          event.preventDefault();
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) {
            setShown(placeOf(event));
          }
        }}
      >
        {/* Each has the room of both, so that a share of it is the same place in either. */}
        <div>
          <img src={before} alt={l10n.t('Before')} draggable={false} />
        </div>
        <div>
          <img src={after} alt={l10n.t('After')} draggable={false} />
        </div>
      </div>
    </div>
  );
}

/** The place of the pointer between both sides of the images, in percent. */
function placeOf({ currentTarget, clientX }: PointerEvent & { currentTarget: HTMLElement }): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.round(Math.min(1, Math.max(0, (clientX - left) / width)) * 100);
}
