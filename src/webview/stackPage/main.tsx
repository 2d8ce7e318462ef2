/** The page of a patch stack: what it is about, and its patches as lines to read, to sign off on and to go on with. */
import '../common/syntaxColors.css';
import './stackPage.css';
import * as l10n from '@vscode/l10n';
import type { StackPageHost, StackPagePage, StackPageView } from '../../protocol/stackPage.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { Page, startPage } from '../common/page.tsx';
import { drawEmojiBy } from '../common/emoji.ts';
import { drawFormulasBy } from '../common/drawnFormulas.ts';
import { colorCodeBy } from '../common/themeColors.ts';
import { StackPage } from './StackPage.tsx';

let page: Page<StackPageView> | undefined;

const connection = connectToHost<StackPageHost, StackPagePage>({
  reload: async () => {
    await page?.load();
    return null;
  },
  show: (view) => {
    take(view);
    page?.show(view);
    return null;
  },
});
const { peer: host, setState } = connection;
colorCodeBy((code) => host.request('colors', code));
drawEmojiBy(() => host.request('emoji', null));
drawFormulasBy((formulas) => host.request('formulas', { formulas }));

async function refresh(): Promise<void> {
  await host.request('refresh', null);
  await page?.load();
}

function take(view: StackPageView): StackPageView {
  setState(view.ref);
  return view;
}

void startPage(
  connection,
  () => host.request('settings', null),
  (settings) => {
    page = new Page({
      loadingText: () => l10n.t('Loading the patch stack…'),
      // The person may be asked to sign in again meanwhile: that takes as long as it takes.
      load: async () => take(await host.request('load', null, { timeoutMs: untilAnswered })),
      view: (view) => <StackPage view={view} settings={settings} host={host} refresh={refresh} />,
    });
    return page;
  },
);
