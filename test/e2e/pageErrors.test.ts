/**
 * What is thrown in a page and not caught is heard, whoever shows the page: it fails the file of tests in which it happens. In a
 * window pageState.test.ts hears it.
 */
import { launchBrowser } from '../../tools/browser.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';
import { errorsAreHeard, plantErrors } from '../support/plantedErrors.ts';

describe('an error in a page', function () {
  this.timeout(180_000);

  it('is heard where the page is alone', async () => {
    const browser = await launchBrowser();
    try {
      const { page, console } = await PatchPage.open(browser, patchView([]));
      await page.evaluate(plantErrors);
      await errorsAreHeard(console);
    } finally {
      await browser.close();
    }
  });
});
