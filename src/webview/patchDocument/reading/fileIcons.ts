/** Icons of files as the person's icon theme draws them. */
import type { PatchDocumentHost, PatchDocumentView } from '../../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../../protocol/rpc.ts';
import { mostIcons } from '../../../util/fileIcon.ts';
import { themeOfPage } from '../../common/themeColors.ts';

/** An image, or a character with the font that it is drawn with. */
export type DrawnIcon =
  { image: string } | { character: string; font: string; size: string; color: string | undefined };

type Host = Pick<RpcPeer<PatchDocumentView, PatchDocumentHost>, 'request'>;

/** The fonts of the page, by their contents: each is read once. */
const fonts = new Map<string, string>();

/** Loads the icons of files; none when they can't be had. */
export async function loadIcons(host: Host, paths: readonly string[]): Promise<Map<string, DrawnIcon>> {
  const wanted = { paths: paths.slice(0, mostIcons), kind: themeOfPage().kind };
  const found = await host.request('fileIcons', wanted).catch(() => null);
  const families = (found?.fonts ?? []).map(({ content }) => familyOf(content));
  const drawn = (found?.icons ?? []).map((icon): DrawnIcon =>
    'image' in icon
      ? icon
      : {
          character: icon.character,
          font: families[icon.font] ?? '',
          size: found?.fonts[icon.font]?.size ?? '100%',
          color: icon.color,
        },
  );
  return new Map(
    Object.entries(found?.files ?? {}).flatMap(([path, index]) => {
      const icon = drawn[index];
      return icon ? [[path, icon]] : [];
    }),
  );
}

function familyOf(content: string): string {
  const known = fonts.get(content);
  if (known !== undefined) {
    return known;
  }
  const family = `file-icons-${fonts.size}`;
  fonts.set(content, family);
  // Made of what the extension host has sent: the page loads none.
  const face = new FontFace(
    family,
    Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0)),
  );
  document.fonts.add(face);
  // One that is broken shows what the system has for its characters.
  face.load().catch(() => undefined);
  return family;
}
