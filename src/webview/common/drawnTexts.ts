/** What texts have besides words: colors of code, emoji, and formulas. */
import type { CodeHost } from '../../protocol/panel.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { drawFormulasBy } from './drawnFormulas.ts';
import { drawEmojiBy } from './emoji.ts';
import { colorCodeBy } from './themeColors.ts';

/** Has all of it drawn from now on. @param host is asked for what a text turns out to have. */
export function drawTextsBy(host: Pick<RpcPeer<object, CodeHost>, 'request'>): void {
  colorCodeBy((code) => host.request('colors', code));
  drawEmojiBy(() => host.request('emoji', null));
  drawFormulasBy((formulas) => host.request('formulas', { formulas }));
}
