// The built app on a static host, in front of a plain server on another origin, in a real browser.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import type { PlainApi } from '../../plain-server/plain-api.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { PlainServer } from '../../plain-server/plain-server.ts'
import { waitForWorker } from '../fixtures/app.ts'
import { Chromium, ORIGIN } from '../fixtures/chromium.ts'
import { copyFolder } from '../fixtures/copy-folder.ts'
import { isQueueEmpty } from '../fixtures/previous-app.ts'
import { portOf, startStaticHost } from '../fixtures/static-host.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

let installed: Promise<string> | undefined

/**
 * The profile of a browser with the app of a static host, which does not know its configuration, as a crash
 * can leave it. Made once for all tests of this process: to install the app takes three times the processor
 * time of opening it.
 */
async function installApp(): Promise<string> {
  const host = await startStaticHost(inject('dist'), {
    clientId: 'app',
    clientSecret: 'not a secret',
  })
  const profile = await mkdtemp(join(tmpdir(), 'cairn-plain-'))
  process.once('exit', () => rmSync(profile, { recursive: true, force: true }))
  const browser = await Chromium.start(profile, [ORIGIN], [], portOf(host))
  const page = await browser.open(`${ORIGIN}/auth`)
  await page.getByLabel('Email').waitFor()
  await waitForWorker(page)
  await page.evaluate(async () => {
    localStorage.removeItem('config')
    await caches.delete('cairn-config')
  })
  await browser.quit()
  host.close()
  host.closeAllConnections()
  return profile
}

/** Waits until nothing on the device waits to be sent, and nothing is said about it. */
export async function nothingWaits(page: Page): Promise<void> {
  await waitUntil('the queue is empty', () => isQueueEmpty(page))
  await page.getByRole('button', { name: /^Sync:/ }).waitFor({ state: 'detached' })
}

const LAST_CALLS = 20

/** The last calls of the API, for the report of a failure. */
const callsOf = ({ api }: PlainServer): string[] =>
  api.requests.slice(-LAST_CALLS).map(({ method, url }) => `${method} ${url}`)

/** Ana signs in, and opens its organisation. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ana@plain.test')
  await page.getByLabel('Password', { exact: true }).fill('a plain password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
}

/**
 * A browser in which Ana has signed in and opened the plans of its organisation. `config` adds to the app's
 * configuration; `prepare` changes the server before the app reads anything of it.
 */
export async function signedIn(
  options: Partial<PlainOptions>,
  config: object = {},
  prepare: (api: PlainApi) => unknown = () => undefined,
) {
  const plain = await PlainServer.start(options, { accounts: 2, plans: 20 })
  prepare(plain.api)
  const host = await startStaticHost(inject('dist'), {
    apiBaseUrl: plain.url,
    clientId: 'app',
    clientSecret: 'not a secret',
    ...config,
  })
  const folder = await mkdtemp(join(tmpdir(), 'cairn-plain-'))
  await copyFolder(await (installed ??= installApp()), join(folder, 'profile'))
  const complaints: string[] = []
  const origins = [ORIGIN, plain.url]
  const start = () => Chromium.start(join(folder, 'profile'), origins, complaints, portOf(host))
  let browser = await start()
  onTestFinished(async ({ task }) => {
    const [error] = task.result?.errors ?? []
    if (error) error.message += ['', ...(await browser.screens()), ...callsOf(plain)].join('\n')
    await browser.kill()
    await plain.stop()
    const closed = once(host, 'close')
    host.close()
    host.closeAllConnections()
    await closed
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    expect(complaints).toEqual([])
  })
  const warnings: string[] = []
  browser.context.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  const page = await browser.open(`${ORIGIN}/success-plans`)
  await signIn(page)
  await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
  /**
   * Kills the browser, and opens `path` in the next one on the same profile. Where `isDatabaseLost` it has deleted
   * the databases, and localStorage: a browser writes it seconds later, or not at all when it is killed.
   */
  const restart = async (path: string, { isOffline = false, isDatabaseLost = false } = {}) => {
    await browser.kill()
    if (isDatabaseLost)
      for (const storage of ['IndexedDB', 'Local Storage'])
        await rm(join(folder, 'profile', 'Default', storage), { recursive: true, force: true })
    browser = await start()
    await browser.context.setOffline(isOffline)
    return await browser.open(ORIGIN + path)
  }
  return { api: plain.api, plain, browser, page, warnings, restart }
}
