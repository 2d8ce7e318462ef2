import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { BinarySides, DiffSectionView } from '../../../protocol/patchDocument.ts';
import { plainText } from '../../../util/visibleText.ts';
import { languageOfPage } from '../../common/size.ts';
import { useReading, useReadingState } from '../reading/reading.ts';
import type { FileDiff } from './diff.ts';
import { ImageSides } from './ImageSides.tsx';
import { binaryText } from './withoutLines.ts';

/** A file that isn't text: how large it is, of what kind, and how it looks if that is an image. */
export function BinaryBody(props: {
  section: DiffSectionView;
  change: FileDiff['change'];
  /** True for a version that isn't the current one: the repository is not asked for that. */
  isOlder: boolean;
}) {
  const { section, change, isOlder } = props;
  const sides = useSides(section, isOlder);
  const { before, after } = sides ?? {};
  const sizes = {
    ...section,
    ...(before && { oldSize: before.size }),
    ...(after && { newSize: after.size }),
  };
  return (
    <div class="binary">
      <p class="notice">{binaryText(sizes, change, languageOfPage(), kindText(sides))}</p>
      {(before?.image ?? after?.image) ? (
        <ImageSides before={before?.image} after={after?.image} />
      ) : (
        sides && <Missing section={section} sides={sides} />
      )}
    </div>
  );
}

/** Both sides of the file, once they have come: what the patch says of them is there to be read before. */
function useSides(section: DiffSectionView, isOlder: boolean): BinarySides | undefined {
  const { host } = useReading();
  const workspaceKnown = useReadingState((state) => state.workspaceKnown);
  const [known, setKnown] = useState<{ section: DiffSectionView; sides: BinarySides }>();
  useEffect(() => {
    if (isOlder || !workspaceKnown) {
      return;
    }
    const controller = new AbortController();
    host.request('binary', { code: section.code }, { signal: controller.signal }).then(
      (sides) => setKnown({ section, sides }),
      () => undefined, // The patch says something of it, too.
    );
    return () => controller.abort();
  }, [section, isOlder, workspaceKnown]);
  return known?.section.code === section.code ? known.sides : undefined;
}

function kindText(sides: BinarySides | undefined): string | undefined {
  const kinds = new Set([sides?.before?.kind, sides?.after?.kind].flatMap((kind) => kind ?? []));
  const [one, other] = kinds;
  return one !== undefined && other !== undefined ? l10n.t('{0} → {1}', one, other) : one;
}

const imageName = /\.(apng|gif|jpe?g|png|webp)$/i;

/** Why an image isn't shown, where one might be looked for. */
function Missing({
  section: { path },
  sides: { before, after, isUntrusted },
}: {
  section: DiffSectionView;
  sides: BinarySides;
}) {
  if (before?.tooLarge || after?.tooLarge) {
    return <p class="notice">{l10n.t('The file is too large to be shown here.')}</p>;
  }
  return !before && !after && imageName.test(path) ? (
    <p class="notice">
      {isUntrusted
        ? l10n.t("{0} can't be shown, because Git isn't run in untrusted folders.", plainText(path))
        : l10n.t(
            "{0} can't be shown, because its Git repository isn't open in this window.",
            plainText(path),
          )}
    </p>
  ) : null;
}
