// Said in the air, and the app closed before the landing: the worker sends it, once, under the right
// name, while no tab is open.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { REPLAY_TAG } from '../../../src/sync/browser/background-sync.ts'
import { card, cardIn, openPlan, openPlans, post, SAVED } from '../fixtures/app.ts'
import { ClosedApp } from '../fixtures/closed-app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const UPDATES = /\/updates$/
const TOKEN = /^\/oauth\/token$/
const TEXT = 'Said just before the doors closed.'
const LIFETIME = 10

/** Whether the page has left it to the browser to call the worker. */
async function isSyncRegistered(page: Page): Promise<boolean> {
  const tags = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return await (registration as unknown as { sync: SyncManager }).sync.getTags()
  })
  return tags.includes(REPLAY_TAG)
}

interface SyncManager {
  getTags(): Promise<string[]>
}

/** Ada says something where there is no network, and closes the app. The network comes back. */
async function postAndClose(options?: Parameters<typeof createBrowserFixture>[0]) {
  const scene = await createBrowserFixture(options ?? { usedBefore: true })
  const { browser, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await waitUntil('the browser was asked to call the worker', () => isSyncRegistered(page))
  const app = await ClosedApp.close(browser, scene.url)
  // The browser has called it at once, and it may still be trying.
  await app.stopWorker()
  await network.goUp()
  expect(network.requests('POST', UPDATES)).toEqual([])
  return { ...scene, app }
}

const accepted = ({ network }: BrowserFixture) =>
  network.requests('POST', UPDATES).filter(({ upstream }) => upstream === 201)

async function expectStoredOnce(scene: BrowserFixture): Promise<void> {
  await scene.ada.signIn()
  const [update, ...more] = await scene.ada.updatesWithText(scene.plan, TEXT)
  expect(update?.user_id).toBe(scene.organisation.user_id)
  expect(more).toEqual([])
}

test('the service worker sends a pending update once, as its author', async () => {
  const scene = await postAndClose({})
  await scene.app.callWorker()
  await waitUntil('the update is answered', () => accepted(scene).length > 0)
  await expectStoredOnce(scene)
  // What the worker needs for it, it had from the start.
  expect(scene.network.requests('GET', /background-replay/)).toHaveLength(1)

  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await page.getByText(SAVED).waitFor({ state: 'detached' })
  expect(scene.network.requests('POST', UPDATES)).toHaveLength(1)
})

test('the service worker refreshes an expired token, and the app opens signed in', async () => {
  const scene = await postAndClose({ accessTokenSeconds: LIFETIME })
  const issued = scene.network.requests('POST', TOKEN)
  const expires = Number(issued.at(-1)?.answered) + (LIFETIME + 1) * 1_000
  await waitUntil('the access token runs out', () => Date.now() > expires)
  await scene.app.callWorker()
  await waitUntil('the update is answered', () => accepted(scene).length > 0)
  const renewed = scene.network.requests('POST', TOKEN).slice(issued.length)
  expect(renewed.map(({ status }) => status)).toEqual([200])

  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await page.getByText(SAVED).waitFor({ state: 'detached' })
  const tokens = await page.evaluate(() => localStorage.getItem('access_token'))
  expect(tokens).not.toBe(null)
  await expectStoredOnce(scene)
})

test('a stopped service worker retries with the same key', async () => {
  const scene = await postAndClose()
  const { app, network } = scene
  const release = network.hold({ method: 'POST', path: UPDATES })
  await app.callWorker()
  await network.waitForRequests('POST', UPDATES)
  await app.stopWorker()
  release()
  await waitUntil('the first attempt arrives', () => accepted(scene).length > 0)
  await app.callWorker()
  const [first, second] = await network.waitForRequests('POST', UPDATES, 2)
  await waitUntil('the second attempt is answered', () => second?.status)
  expect(second?.key).toBe(first?.key)
  expect(second?.replayed).toBe(true)
  await expectStoredOnce(scene)
})

test('an update that the service worker could not send is kept for the next start', async () => {
  const scene = await postAndClose()
  const repair = scene.network.injectFault({ path: UPDATES }, { kind: 'lost' })
  await scene.app.callWorker()
  await scene.network.waitForRequests('POST', UPDATES)
  repair()
  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await waitUntil('the update is answered', () => accepted(scene).length > 0)
  await expectStoredOnce(scene)
})
