import * as l10n from '@vscode/l10n';
import type {
  StackPageHost,
  StackPagePage,
  StackPageView,
  TypedStackFields,
} from '../../protocol/stackPage.ts';
import { drawTextsBy } from '../common/drawnTexts.ts';
import { FormTyping } from '../common/formTyping.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { Page, startPage } from '../common/page.tsx';
import { StackPage } from './StackPage.tsx';
import { inBackground } from '../../util/inBackground.ts';

/** Connects the page to its panel, and shows the stack that this names. */
export function showStackPage(): void {
  let page: Page<StackPageView> | undefined;
  /** Keeps what is typed into the form of the stack that is shown. */
  let typing: { stackUuid: string; of: FormTyping<TypedStackFields> } | undefined;

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
  drawTextsBy(host);

  async function refresh(): Promise<void> {
    await host.request('refresh', null);
    await page?.load();
  }

  function take(view: StackPageView): StackPageView {
    setState(view.ref);
    const { stackUuid } = view.ref;
    if (typing?.stackUuid !== stackUuid) {
      typing?.of.dispose();
      typing = { stackUuid, of: new FormTyping<TypedStackFields>(`stack ${stackUuid}`, connection) };
    }
    return view;
  }

  async function load(): Promise<StackPageView> {
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    const ask = async (): Promise<StackPageView> => host.request('load', null, { timeoutMs: untilAnswered });
    const view = take(await ask());
    return (await typing?.of.takeUp(view.account)) === true ? take(await ask()) : view;
  }

  inBackground(
    startPage(
      connection,
      () => host.request('settings', null),
      (settings) => {
        page = new Page({
          loadingText: () => l10n.t('Loading the patch stack…'),
          load,
          view: (view) =>
            typing && (
              <StackPage view={view} settings={settings} host={host} typing={typing.of} refresh={refresh} />
            ),
        });
        return page;
      },
    ),
  );
}
