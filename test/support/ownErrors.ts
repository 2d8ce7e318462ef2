/** Errors of ours in pages, in their consoles or thrown and not caught, which nobody expects: they fail the file of tests that has them. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { testFolder } from '../../tools/provision.ts';
import { testTimes } from './underWay.ts';
import { describeError, WindowConsole, type OwnError } from './windowConsole.ts';

const heard: WindowConsole[] = [];

/** Files of tests in which strangers try what the policy of a page refuses, which the console says. It is printed. */
const notHeldToIt: readonly string[] = ['strangers'];

/**
 * Hears from now on what a page and its frames write to the console, and what is thrown there and not caught.
 *
 * @param expected errors of ours that there may be.
 */
export function listenTo(page: Page, expected?: RegExp): WindowConsole {
  const console = new WindowConsole(expected);
  heard.push(console);
  const note = (error: OwnError | undefined): void => {
    // What comes after the first one is often its consequence.
    if (error !== undefined && console.errors.length === 1) {
      void takePicture(page, error);
    }
  };
  page.on('console', (message) =>
    note(
      console.take({
        type: message.type(),
        text: message.text(),
        url: message.location().url,
        at: message.timestamp(),
      }),
    ),
  );
  // Not the page's own event, which does not say where something was thrown that has no stack.
  page.context().on('weberror', (thrown) => {
    if (thrown.page() === page) {
      const { name, message, stack = '' } = thrown.error();
      const text = name === '' ? message : `${name}: ${message}`;
      note(console.takeThrown({ text, stack, url: thrown.location().url, at: Date.now() }));
    }
  });
  return console;
}

/** The errors in all pages that were opened since this was asked the last time. */
export function takeErrors(): OwnError[] {
  return heard.splice(0).flatMap(({ errors }) => errors);
}

async function takePicture(page: Page, error: OwnError): Promise<void> {
  try {
    const file = path.join(testFolder, 'screenshots', `error-${Date.now()}.png`);
    // The caret stays as it is: hiding it would change the page of a test that goes on.
    await page.screenshot({ path: file, caret: 'initial' });
    error.picture = file;
  } catch {
    // A page that is gone or frozen has no picture.
  }
}

// When all else is closed: whatever is closed after a hook that fails would stay open. A script that takes pictures has no hooks.
(globalThis as { after?: Mocha.HookFunction }).after?.('no page of ours has had errors', () => {
  const isOfStrangers = ({ at, isOfHost }: OwnError): boolean =>
    testTimes.at(at, isOfHost).some(({ file }) => notHeldToIt.includes(path.basename(file, '.test.ts')));
  const errors = takeErrors();
  const ofStrangers = errors.filter(isOfStrangers);
  ofStrangers.forEach(({ text }) => console.log(`--- an error of ours in a page: ${text}`));
  const others = errors.filter((error) => !ofStrangers.includes(error));
  for (const { picture } of others) {
    if (picture !== undefined) {
      console.log(`--- a picture: ${picture}`);
    }
  }
  if (others.length > 0) {
    throw new Error(others.map((error) => describeError(error, testTimes)).join('\n'));
  }
});
