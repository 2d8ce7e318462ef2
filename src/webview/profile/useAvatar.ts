import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { FormPage } from '../../protocol/form.ts';
import { largestAvatar, type ProfileHost } from '../../protocol/profile.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { messageOf } from '../../util/messageOf.ts';

/** The panel in the extension host, as the form sees it. */
export type Host = RpcPeer<FormPage, ProfileHost>;

/** The image that was chosen and isn't saved yet: the extension host has it, the page its preview. */
export function useAvatar(
  host: Host,
  begun: string | undefined,
  { refuse, accept }: { refuse: (reason: string) => void; accept: () => void },
) {
  const [chosen, setChosen] = useState(begun);

  async function drop(): Promise<void> {
    setChosen(undefined);
    await host.request('dropAvatar', null);
  }

  async function choose(file: File): Promise<void> {
    if (file.size > largestAvatar) {
      refuse(l10n.t('The file is larger than {0} MB. Choose a smaller file.', largestAvatar / (1024 * 1024)));
      return;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const answer = await host.request('chooseAvatar', { fileName: file.name, bytes });
      if (answer.kind === 'refused') {
        refuse(answer.reason);
        return;
      }
      if (!(await isWhole(bytes, answer.preview))) {
        await drop();
        refuse(l10n.t('The image is damaged. Choose another image.'));
        return;
      }
      accept();
      setChosen(answer.preview);
    } catch (error) {
      refuse(messageOf(error));
    }
  }

  return { chosen, choose, drop, forget: () => setChosen(undefined) };
}

/** False for an image of which only the beginning is there. */
async function isWhole(bytes: Uint8Array<ArrayBuffer>, address: string): Promise<boolean> {
  const type = /^data:([^;]+)/.exec(address)?.[1] ?? '';
  try {
    // Browsers show what there is of an image; only this decoder says that something is missing.
    if ('ImageDecoder' in window && (await ImageDecoder.isTypeSupported(type))) {
      const decoder = new ImageDecoder({ data: bytes, type });
      await decoder.decode();
      decoder.close();
      return true;
    }
    const image = new Image();
    image.src = address;
    await image.decode();
    return true;
  } catch {
    return false;
  }
}
