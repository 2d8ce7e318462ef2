import type { Page } from 'playwright-core';

/** Notes what a window does that nothing which it only shows may make it do: dialogs, windows, navigations, requests elsewhere. */
export function watchDeeds(page: Page): string[] {
  const deeds: string[] = [];
  const own = new URL(page.url()).origin;
  const isOwn = (url: string): boolean =>
    /^(data|blob|about):/.test(url) ||
    new URL(url).origin === own ||
    new URL(url).hostname.endsWith('.vscode-cdn.net');
  page.on('dialog', (dialog) => {
    deeds.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (popup) => deeds.push(`window ${popup.url()}`));
  page.context().on('request', (request) => {
    if (!isOwn(request.url())) {
      deeds.push(`request ${request.url()}`);
    }
  });
  page.on('framenavigated', (frame) => {
    if (!isOwn(frame.url())) {
      deeds.push(`navigation ${frame.url()}`);
    }
  });
  return deeds;
}
