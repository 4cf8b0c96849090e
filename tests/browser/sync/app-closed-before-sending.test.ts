// Posted offline, and the app is closed before the network returns: the worker sends the update once, as
// the right user, while no tab is open.
import type { Page, Worker } from 'playwright-core'
import { expect, test } from 'vitest'
import { REPLAY_TAG } from '../../../src/sync/browser/background-sync.ts'
import { card, cardIn, openPlan, openPlans, post, SAVED } from '../fixtures/app.ts'
import { ClosedApp } from '../fixtures/closed-app.ts'
import {
  createBrowserFixture,
  type BrowserFixture,
  type BrowserFixtureOptions,
} from '../fixtures/browser-fixture.ts'
import {
  TOKEN_PATH,
  UPDATES_PATH,
  expireAccessTokens,
  expectOneRefresh,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TEXT = 'Posted just before closing the app.'

/** Whether the page has registered a sync event. */
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

/** Ada posts without a network and closes the app. The network returns. */
async function postAndClose(options: BrowserFixtureOptions = { usedBefore: true }) {
  const scene = await createBrowserFixture({ ...options, fullBrowser: true })
  const { browser, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await waitUntil('a sync event is registered', () => isSyncRegistered(page))
  const app = await ClosedApp.close(browser, scene.url)
  // The browser fired the event at once, and the worker may still be retrying.
  await app.stopWorker()
  await network.goUp()
  expect(network.requests('POST', UPDATES_PATH)).toEqual([])
  return { ...scene, app }
}

const accepted = ({ network }: BrowserFixture) =>
  network.requests('POST', UPDATES_PATH).filter(({ upstream }) => upstream === 201)

async function expectStoredOnce(scene: BrowserFixture): Promise<void> {
  await scene.ada.signIn()
  const [update, ...more] = await scene.ada.updatesWithText(scene.plan, TEXT)
  expect(update?.user_id).toBe(scene.organisation.user_id)
  expect(more).toEqual([])
}

test('the service worker sends a pending update once, as its author', async () => {
  const scene = await postAndClose({ newDevice: true })
  await scene.app.callWorker()
  await waitUntil('the update is answered', () => accepted(scene).length > 0)
  await expectStoredOnce(scene)
  // The worker has had everything it needs from the start.
  expect(scene.network.requests('GET', /background-replay/)).toHaveLength(1)

  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await page.getByText(SAVED).waitFor({ state: 'detached' })
  expect(scene.network.requests('POST', UPDATES_PATH)).toHaveLength(1)
})

test('the service worker refreshes an expired token, and the app opens signed in', async () => {
  const scene = await postAndClose()
  const issued = scene.network.requests('POST', TOKEN_PATH)
  await expireAccessTokens(scene)
  await scene.app.callWorker()
  await waitUntil('the update is answered', () => accepted(scene).length > 0)
  await expectOneRefresh(scene, issued)

  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await page.getByText(SAVED).waitFor({ state: 'detached' })
  const tokens = await page.evaluate(() => localStorage.getItem('access_token'))
  expect(tokens).not.toBe(null)
  await expectStoredOnce(scene)
})

longTest('a stopped service worker retries with the same key', async () => {
  const scene = await postAndClose()
  const { app, network } = scene
  const release = network.hold({ method: 'POST', path: UPDATES_PATH })
  await app.callWorker()
  await network.waitForRequests('POST', UPDATES_PATH)
  await app.stopWorker()
  release()
  await waitUntil('the first attempt arrives', () => accepted(scene).length > 0)
  await app.callWorker()
  const [first, second] = await network.waitForRequests('POST', UPDATES_PATH, 2)
  await waitUntil('the second attempt is answered', () => second?.status)
  expect(second?.key).toBe(first?.key)
  expect(second?.replayed).toBe(true)
  await expectStoredOnce(scene)
})

longTest(
  'an update that the service worker could not send is kept for the next start',
  async () => {
    const scene = await postAndClose()
    const repair = scene.network.injectFault({ path: UPDATES_PATH }, { kind: 'lost' })
    await scene.app.callWorker()
    await scene.network.waitForRequests('POST', UPDATES_PATH)
    repair()
    const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
    await card(page, TEXT).waitFor()
    await waitUntil('the update is answered', () => accepted(scene).length > 0)
    await expectStoredOnce(scene)
  },
)

/** The running worker; from now on it notes how its events end, and which badge it shows. */
async function observeWorker({ app, browser }: Awaited<ReturnType<typeof postAndClose>>) {
  await app.callWorker()
  const worker = await waitUntil('the worker runs', () => browser.context.serviceWorkers()[0])
  await worker.evaluate(() => {
    const scope = self as unknown as Observed
    const { prototype } = scope.ExtendableEvent
    const original = prototype.waitUntil
    prototype.waitUntil = function (work) {
      if (this.type === 'sync')
        scope.ended = work.then(
          () => 'done',
          () => 'again',
        )
      original.call(this, work)
    }
    scope.navigator.setAppBadge = async (count) => void (scope.badge = count)
  })
  return worker
}

interface Observed {
  ExtendableEvent: {
    prototype: { waitUntil: (this: Event, work: Promise<unknown>) => void }
  }
  navigator: { setAppBadge(count: number): Promise<void> }
  ended?: Promise<'done' | 'again'>
  badge?: number
}

/** Calls the worker; resolves to how its event ended. */
async function outcomeOfCall(scene: { app: ClosedApp }, worker: Worker) {
  await worker.evaluate(() => delete (self as unknown as Observed).ended)
  await scene.app.callWorker()
  const ended = () => worker.evaluate(() => (self as unknown as Observed).ended)
  return await waitUntil('the event has ended', ended)
}

longTest('the service worker asks the browser for another attempt until it has sent', async () => {
  const scene = await postAndClose()
  const repair = scene.network.injectFault({ path: UPDATES_PATH }, { kind: 'lost' })
  const worker = await observeWorker(scene)
  expect(await outcomeOfCall(scene, worker)).toBe('again')
  repair()
  expect(await outcomeOfCall(scene, worker)).toBe('done')
  await expectStoredOnce(scene)
})

longTest(
  'the service worker sends with the last configuration when it cannot be read',
  async () => {
    const scene = await postAndClose()
    const repair = scene.network.injectFault({ path: UPDATES_PATH }, { kind: 'lost' })
    const worker = await observeWorker(scene)
    expect(await outcomeOfCall(scene, worker)).toBe('again')
    repair()
    const body = '<html>Welcome to our network</html>'
    scene.network.injectFault({ path: /^\/config\.json$/ }, { kind: 'answered', status: 200, body })
    expect(await outcomeOfCall(scene, worker)).toBe('done')
    await expectStoredOnce(scene)
  },
)

longTest(
  'the badge counts the rejected operations of the signed-in user for this server, and no others',
  async () => {
    const scene = await postAndClose()
    scene.network.injectFault(
      { method: 'POST', path: UPDATES_PATH },
      {
        kind: 'answered',
        status: 422,
        headers: { 'Content-Type': 'application/json' },
        body: '{"message":"Not valid."}',
      },
    )
    const worker = await observeWorker(scene)
    await worker.evaluate(copyOperations)
    expect(await outcomeOfCall(scene, worker)).toBe('done')
    expect(await worker.evaluate(() => (self as unknown as Observed).badge)).toBe(1)
  },
)

/** Stores each operation twice more, rejected: as one of another user of this device, and for another server. */
function copyOperations(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.open('cairn')
    request.onsuccess = () => {
      const transaction = request.result.transaction('operations', 'readwrite')
      transaction.oncomplete = () => resolve()
      const store = transaction.objectStore('operations')
      const all = store.getAll()
      all.onsuccess = () => {
        for (const one of all.result as { id?: string }[])
          if (one.id !== undefined)
            for (const other of [{ user_id: 'another' }, { api: 'https://another.test' }]) {
              const id = `${one.id} ${Object.keys(other)[0]}`
              store.put({ ...one, ...other, id, state: 'attention' }, id)
            }
      }
    }
  })
}
