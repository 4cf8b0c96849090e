// The device has no room left: a reserve is used for new operations, then replicas of other organisations
// are evicted, and when nothing helps, nothing is confirmed that is not saved.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { card, cardIn, composer, planRow, post, SAVED } from '../fixtures/app.ts'
import { expectSentOnce, openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { longTest } from '../../long-test.ts'

const TEXT = 'Posted on a full device.'
const MEGABYTE = 1_000_000
const MEGABYTES = 24
const BALLAST = '=ballast'

/** Adds that many megabytes to the replica of another organisation of the user. */
const fillCache = (page: Page, user_id: string) =>
  page.evaluate(
    async ({ user, count, size, name }) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('cairn')
        request.onsuccess = () => resolve(request.result)
      })
      for (let index = 0; index < count; index += 1) {
        const noise = Array.from({ length: size / 50_000 }, () =>
          [...crypto.getRandomValues(new Uint8Array(25_000))]
            .map((byte) => byte.toString(16).padStart(2, '0'))
            .join(''),
        )
        const filling = database.transaction('cache', 'readwrite')
        filling.objectStore('cache').put(noise, [user, 'another', `${name} ${index}`])
        await new Promise((resolve) => {
          filling.oncomplete = resolve
        })
      }
      database.close()
    },
    { user: user_id, count: MEGABYTES, size: MEGABYTE, name: BALLAST },
  )

/** The keys of the cache that contain `part`. */
const keysWith = (page: Page, part: string) =>
  page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('cairn')
      request.onsuccess = () => resolve(request.result)
    })
    const keys = database.transaction('cache').objectStore('cache').getAllKeys()
    await new Promise((resolve) => {
      keys.onsuccess = resolve
    })
    database.close()
    return keys.result.filter((key) => JSON.stringify(key).includes(name)).length
  }, part)

const ballastIn = (page: Page) => keysWith(page, BALLAST)
const hasReserve = async (page: Page) => (await keysWith(page, '!reserve-bytes')) > 0

test('a full device is reported, keeps the text and can post later', async () => {
  const scene = await openPlanFixture()
  await scene.network.goDown()
  // A browser checks the free space only now and then: a new one has not checked yet.
  const browser = await scene.restartBrowser()
  const devtools = await browser.context.newCDPSession(await browser.open())
  const origin = scene.url
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  const page = await browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await post(page, TEXT)
  await page.getByText(/The device is full, so this is not saved/).waitFor()
  expect(await composer(page).inputValue()).toBe(TEXT)
  expect(await card(page, TEXT).count()).toBe(0)
  expect(await page.getByText(SAVED).count()).toBe(0)
  await page.getByRole('button', { name: 'Copy the text' }).waitFor()

  await devtools.send('Storage.overrideQuotaForOrigin', { origin })
  await page.getByRole('button', { name: 'Post update' }).click()
  await cardIn(page, TEXT, SAVED).waitFor()
  await scene.network.goUp()
  await expectSentOnce(scene, page, TEXT)
})

/** Bytes that the origin uses, once the browser has counted each kind of storage, twice with one result. */
async function usageOf(page: Page, origin: string): Promise<number> {
  // Chromium counts a cache once more when it is written to for the first time since the browser was started, as it
  // is by the app when it compiles a script.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      await cache.put('https://counted.invalid/', new Response('x'))
      await cache.delete('https://counted.invalid/')
    }
  })
  const devtools = await page.context().newCDPSession(page)
  let last = 0
  return await waitUntil('the browser has counted what is stored', async () => {
    const { usage, usageBreakdown } = await devtools.send('Storage.getUsageAndQuota', { origin })
    const counted = (kind: string) =>
      usageBreakdown.find(({ storageType }) => storageType === kind)?.usage ?? 0
    const isWhole =
      counted('indexeddb') > MEGABYTES * MEGABYTE &&
      counted('cache_storage') > 0 &&
      counted('service_workers') > 0
    const isSame = usage === last
    last = usage
    return isWhole && isSame && usage
  })
}

/** Offline, on the plan, in a browser that may use `room` bytes more than it uses already. */
async function openOnFullDevice(room: number) {
  const scene = await openPlanFixture()
  await waitUntil('the reserve is filled', () => hasReserve(scene.page))
  await fillCache(scene.page, scene.organisation.user_id)
  await scene.network.goDown()
  // The database is compacted when a browser starts.
  const compacted = await scene.restartBrowser()
  await planRow(await compacted.open(`${scene.url}/success-plans`), scene.plan).waitFor()
  const browser = await scene.restartBrowser()
  // The app has not started there: a browser that has checked the free space does not for a while.
  const page = await browser.open(`${scene.url}/manifest.webmanifest`)
  // The browser counts a database once it is open.
  await ballastIn(page)
  const quotaSize = (await usageOf(page, scene.url)) + room
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: scene.url, quotaSize })
  await page.goto(`${scene.url}/success-plans/${scene.plan.id}`)
  expect([await ballastIn(page), await hasReserve(page)]).toEqual([MEGABYTES, true])
  return { scene, page }
}

longTest('a pending update is stored in the reserve, and no record is evicted', async () => {
  const { scene, page } = await openOnFullDevice(-0.15 * MEGABYTE)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  expect([await ballastIn(page), await hasReserve(page)]).toEqual([MEGABYTES, false])
  expect(await page.getByText(/This device is full/).count()).toBe(0)
  await scene.network.goUp()
  await expectSentOnce(scene, page, TEXT)
})

longTest(
  'other organisations make room for a pending update, and the open one stays readable',
  async () => {
    const { scene, page } = await openOnFullDevice(-4 * MEGABYTE)
    await post(page, TEXT)
    await cardIn(page, TEXT, SAVED).waitFor()
    await page.getByText(/the downloaded data of your other organisations was removed/).waitFor()
    expect(await ballastIn(page)).toBe(0)
    await page.goto(`${scene.url}/success-plans/${scene.unopened.id}`)
    await page.getByText(HISTORY.unopened).waitFor()
    await page.goto(`${scene.url}/success-plans/${scene.plan.id}`)
    await cardIn(page, TEXT, SAVED).waitFor()
    await scene.network.goUp()
    await expectSentOnce(scene, page, TEXT)
  },
)
