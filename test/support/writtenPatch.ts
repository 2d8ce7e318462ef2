/** A patch to be written in: a window that shows it, and what the service has of it. Its service can be made to fail. */
import { ApiClient } from '../../src/api/client.ts';
import type { PatchSection } from '../../src/api/types/patches.ts';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { Editor, errorsWhileTyping, type EditorOptions } from './editor.ts';
import { FaultServer, reply, type Fault, type SeenRequest } from './faultServer.ts';
import { forwardTo, passOn } from './forward.ts';
import type { Workbench } from './workbench.ts';

/** The patch's title. */
const title = 'Greet people by name';

/** See the module. Close it at the end. */
export class WrittenPatch {
  readonly editor: Editor;
  readonly window: Workbench;
  /** Asks the service past whatever stands before it: as somebody else would. */
  readonly client: ApiClient;
  readonly #server: FaultServer;
  readonly #serviceUrl: string;
  #address: { stackUuid: string; changeId: string };

  private constructor(
    editor: Editor,
    window: Workbench,
    client: ApiClient,
    server: FaultServer,
    address: { stackUuid: string; changeId: string },
  ) {
    this.editor = editor;
    this.window = window;
    this.client = client;
    this.#server = server;
    this.#serviceUrl = editor.service.url;
    this.#address = address;
  }

  /** Opens a patch that has these text sections, and its diff after them. */
  static async open(
    texts: readonly string[],
    options: Pick<EditorOptions, 'settings'> = {},
  ): Promise<WrittenPatch> {
    const server = await FaultServer.start();
    const editor = await Editor.start({
      expectedErrors: errorsWhileTyping,
      ...options,
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        server.use(forwardTo(serviceUrl));
        return new URL(new URL(serviceUrl).pathname, server.url).href;
      },
    });
    const { url, token } = editor.service;
    const client = new ApiClient({ serverUrl: url, getToken: async () => token });
    const address = await find(client);
    const { stackUuid, changeId } = address;
    const { sections = [] } = await client.patches.get(stackUuid, changeId);
    for (const section of sections) {
      if (section.sectionType === 'text') {
        await client.patches.deleteSection(stackUuid, changeId, section.code);
      }
    }
    for (const [position, text] of texts.entries()) {
      await client.patches.createSection(stackUuid, changeId, { type: 'text', text, position });
    }
    const window = await editor.openWindow();
    const written = new WrittenPatch(editor, window, client, server, address);
    await written.show(window);
    return written;
  }

  /** Opens the patch in a window. */
  async show(window: Workbench): Promise<void> {
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open(title);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
    await window.focusInPatch();
  }

  /** The patch's place on the service. */
  get place(): { stackUuid: string; changeId: string } {
    return this.#address;
  }

  get webview(): FrameLocator {
    return this.window.webview;
  }

  get page(): Page {
    return this.window.page;
  }

  /** Reads all of it. */
  async readAll(): Promise<void> {
    await this.window.readAll(title);
  }

  /** A section by words that it shows; not of the beginning of the document, which is replaced by the whole soon. */
  section(words: string): Locator {
    return this.webview
      .locator('.document:not(.beginning) section.section')
      .filter({ hasText: words })
      .first();
  }

  /** The text that is typed into. */
  get source(): Locator {
    return this.webview.locator('.cm-content');
  }

  /** Opens a section's editor, as a double click on its text does. */
  async edit(words: string): Promise<void> {
    await this.section(words).locator('.prose').dblclick();
    await this.source.and(this.webview.locator(':focus')).waitFor();
  }

  /** Chooses a command from the menu of a section, by the mouse. */
  async chooseFromMenu(section: Locator, command: string): Promise<void> {
    const { page } = this;
    await section.hover();
    await section.getByRole('button', { name: 'More actions' }).click();
    const item = page.locator('.monaco-menu .action-item').filter({ hasText: command }).first();
    // A menu takes no click in its first moments; see `Workbench`.
    await item.hover();
    await item.and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
  }

  /** Goes to the end of the text and types. */
  async typeAtEnd(text: string): Promise<void> {
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.insertText(text);
  }

  /** Saves with the keyboard, and waits until the editor is gone. */
  async save(): Promise<void> {
    await this.page.keyboard.press('Control+Enter');
    await this.source.waitFor({ state: 'detached' });
  }

  /** The sections as the service has them. */
  async sections(): Promise<PatchSection[]> {
    const { stackUuid, changeId } = this.#address;
    return (await this.client.patches.get(stackUuid, changeId)).sections ?? [];
  }

  /** The texts as the service has them, and the paths of files, in order. */
  async contents(): Promise<string[]> {
    return (await this.sections()).map((section) =>
      section.sectionType === 'text' ? (section.text ?? '') : section.identifier,
    );
  }

  /** Changes the text of a section behind the window's back. */
  async changeElsewhere(words: string, text: string): Promise<void> {
    await this.client.patches.updateSection(...(await this.#find(words)), { text });
  }

  /** Deletes a section behind the window's back. */
  async deleteElsewhere(words: string): Promise<void> {
    await this.client.patches.deleteSection(...(await this.#find(words)));
  }

  /** Puts the sections in another order behind the window's back. */
  async orderElsewhere(order: (identifiers: string[]) => string[]): Promise<void> {
    const { stackUuid, changeId } = this.#address;
    const identifiers = (await this.sections()).map(({ identifier }) => identifier);
    await this.client.patches.update(stackUuid, changeId, { sectionOrder: order(identifiers) });
  }

  /** Has the service read the repository again; from then on this is the patch in the newest version of its stack. */
  async importRepository(): Promise<void> {
    await this.editor.service.importRepository();
    this.#address = await find(this.client);
  }

  /** Closes or reopens the patch stack behind the window's back. */
  async setStackStatus(status: 'active' | 'closed'): Promise<void> {
    await this.client.stacks.update(this.#address.stackUuid, { status });
  }

  /** Has requests that write fail in a way, until `recover`. */
  failWrites(fault: Fault): void {
    const isWrite = ({ method }: SeenRequest): boolean => method !== 'GET';
    this.#server.use(forwardTo(this.#serviceUrl, (request) => (isWrite(request) ? fault : undefined)));
  }

  /** Has requests for patches fail in a way, until `recover`. */
  failReads(fault: Fault): void {
    this.#server.use(forwardTo(this.#serviceUrl, (request) => (isPatchRead(request) ? fault : undefined)));
  }

  /** Has the service say of a patch what `amend` makes of the truth, until `recover`. */
  amendReads(amend: (patch: Record<string, unknown>) => unknown): void {
    this.failReads(async (response, request, attempt) => {
      const answer = await passOn(this.#serviceUrl, request);
      const patch = (await answer.json()) as Record<string, unknown>;
      await reply(200, JSON.stringify(amend(patch)))(response, request, attempt);
    });
  }

  /** The address at which the window finds the service, with the fault server before it. */
  get address(): string {
    return this.#server.url;
  }

  /** Forgets what was asked of the service, which answers as it should from now on. */
  recover(): void {
    this.#server.use(forwardTo(this.#serviceUrl));
  }

  /** The number of requests that have written since `failWrites` or `recover`. */
  get writes(): number {
    return this.#server.seen.filter(({ method }) => method !== 'GET').length;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.editor.close();
    await this.#server.stop();
  }

  async #find(words: string): Promise<[stackUuid: string, changeId: string, code: string]> {
    const { stackUuid, changeId } = this.#address;
    const found = (await this.sections()).find(
      (section) => section.sectionType === 'text' && section.text?.includes(words),
    );
    return [stackUuid, changeId, found!.code];
  }
}

async function find(client: ApiClient): Promise<{ stackUuid: string; changeId: string }> {
  const [project] = (await client.projects.list()).items;
  const [stack] = (await client.stacks.list(project!.repositoryId)).items;
  const patch = stack!.patches!.find((candidate) => candidate.title === title)!;
  return { stackUuid: stack!.uuid, changeId: patch.changeId };
}

function isPatchRead({ method, url }: SeenRequest): boolean {
  return method === 'GET' && /\/patch\/[^/]+$/.test(url);
}
