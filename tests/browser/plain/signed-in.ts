// The built app on a static host, in front of a plain server on another origin, in a real browser.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { PlainServer } from '../../plain-server/plain-server.ts'
import { Chromium, ORIGIN } from '../fixtures/chromium.ts'
import { portOf, startStaticHost } from '../fixtures/static-host.ts'

/**
 * A browser in which Ana has signed in and opened the plans of its organisation. `config` adds to the app's
 * configuration.
 */
export async function signedIn(options: Partial<PlainOptions>, config: object = {}) {
  const plain = await PlainServer.start(options, { accounts: 2, plans: 20 })
  const host = await startStaticHost(inject('dist'), {
    apiBaseUrl: plain.url,
    clientId: 'app',
    clientSecret: 'not a secret',
    ...config,
  })
  const folder = await mkdtemp(join(tmpdir(), 'cairn-plain-'))
  const complaints: string[] = []
  const origins = [ORIGIN, plain.url]
  const start = () => Chromium.start(join(folder, 'profile'), origins, complaints, portOf(host))
  let browser = await start()
  onTestFinished(async () => {
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
  await page.getByLabel('Email').fill('ana@plain.test')
  await page.getByLabel('Password', { exact: true }).fill('a plain password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
  /** Kills the browser, and opens `path` in the next one on the same profile. */
  const restart = async (path: string, { isOffline = false } = {}) => {
    await browser.kill()
    browser = await start()
    await browser.context.setOffline(isOffline)
    return await browser.open(ORIGIN + path)
  }
  return { api: plain.api, plain, browser, page, warnings, restart }
}
