/** The stacks view when it has no rows: it says why, and what to do about it. */
import type { Locator } from 'playwright-core';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { FaultServer, reply, resetBeforeHeaders, type Fault } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the stacks view without rows', function () {
  this.timeout(400_000);
  let editor: Editor;
  let server: FaultServer;
  let window: Workbench;
  /** The answers to requests for the user, and for projects, instead of the service's. */
  let userFault: Fault | undefined = reply(401, '{}');
  let projectsFault: Fault | undefined;

  before(async () => {
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        server = await FaultServer.start();
        server.use(
          forwardTo(serviceUrl, ({ url }) =>
            url.endsWith('/user') ? userFault : url.includes('/projects') ? projectsFault : undefined,
          ),
        );
        return `${server.url}/api`;
      },
    });
    window = await editor.openWindow();
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
  });

  tidyAfterEach(() => window);

  after(async () => {
    await editor.close();
    await server.stop();
  });

  const button = (name: string): Locator => window.tree.welcome.getByRole('button', { name, exact: true });
  const saying = (text: string): Locator => window.tree.welcome.getByText(text);

  /** Waits until the view says this, and offers these buttons and no others. */
  async function says(text: string, ...buttons: string[]): Promise<void> {
    await saying(text).waitFor();
    await expect(window.tree.welcome.getByRole('button')).toHaveText(buttons, { useInnerText: true });
    await expect(window.tree.rows).toHaveCount(0);
  }

  it('offers to sign in, also when a sign-in that was handed in is refused', async () => {
    await window.told(/Couldn't sign in: .*has expired/);
    const ways = ['Sign In', 'Sign In with Access Token', 'Try It on This Repository'];
    await says('Sign in to review and edit patch stacks.', ...ways);
    await window.statusBarItem('Patch Stacks: Sign In').waitFor();
    userFault = undefined;
    projectsFault = resetBeforeHeaders;
    await window.answerNotification(/Couldn't sign in/, 'Retry');
    await says("the server can't be reached", 'Try Again', 'Show Log', 'Switch Server');
  });

  it('says that the service has a fault', async () => {
    projectsFault = reply(503, '{}');
    await button('Try Again').click();
    await says('the server is unavailable or busy', 'Try Again', 'Show Log');
  });

  it('says that what answers is not the service', async () => {
    projectsFault = reply(200, '<title>Welcome</title>', { 'content-type': 'text/html' });
    await button('Try Again').focus();
    await window.page.keyboard.press('Enter');
    await says("the server's response is invalid", 'Try Again', 'Switch Server', 'Show Log');
  });

  it('says that it failed for a reason which the log has', async () => {
    projectsFault = reply(422, '{"message": "no"}');
    await button('Try Again').click();
    await says('See the log for details.', 'Try Again', 'Show Log');
  });

  it('says that the session has expired, when the person does not sign in again', async () => {
    projectsFault = reply(401, '{}');
    // The window looks by itself now and then: its question may be in front of the button already.
    await button('Try Again').dispatchEvent('click');
    await window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
    await says('Your session has expired.', 'Sign In', 'Show Log');
  });

  it('goes on to the rows when what was wrong is fixed', async () => {
    projectsFault = undefined;
    await window.runCommand('Patch Stacks: Refresh');
    await window.tree.row('greetings').waitFor();
    await window.tree.welcome.waitFor({ state: 'hidden' });
  });

  it('offers to create a project where there is none', async () => {
    const { token } = editor.service.addUser({ login: 'emmy', name: 'Emmy', email: 'emmy@example.org' });
    await window.runCommand('Patch Stacks: Sign In with Access Token');
    await window.type(`${server.url}/api`);
    await window.quickInputWidget.getByText('Your access token for').waitFor();
    await window.type(token);
    await says("You don't have any projects yet.", 'Create Project', 'Refresh');
    await button('Create Project').click();
    await window.step('Project name');
    await window.type('Mine');
    await window.step('Description');
    await window.acceptInput();
    await window.step('Project slug');
    await window.acceptInput();
    await window.tree.row('Mine').waitFor();
  });

  it('offers another filter where the filter hides every project', async () => {
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('Projects with Open Reviews Only');
    await says('No projects match the filter.', 'Change Filter');
    await button('Change Filter').click();
    await window.pick('All Projects');
    await window.tree.row('Mine').waitFor();
  });
});
