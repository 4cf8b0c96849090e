// The device has no room left: replicas are evicted for new operations, and when that does not help,
// nothing is confirmed that is not saved.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { card, cardIn, composer, post, SAVED } from '../fixtures/app.ts'
import { expectSentOnce, openPlanFixture } from '../fixtures/open-plan-fixture.ts'

const TEXT = 'Posted on a full device.'
const MEGABYTE = 1_000_000
const MEGABYTES = 24
const BALLAST = '=ballast'

/** Adds that many megabytes to the user's replica. */
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
        filling.objectStore('cache').put(noise, [user, '', `${name} ${index}`])
        await new Promise((resolve) => {
          filling.oncomplete = resolve
        })
      }
      database.close()
      return (await navigator.storage.estimate()).usage ?? 0
    },
    { user: user_id, count: MEGABYTES, size: MEGABYTE, name: BALLAST },
  )

/** How much of it is still there. */
const ballastIn = (page: Page) =>
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
  }, BALLAST)

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

test('cached records are evicted to make room for a pending update', async () => {
  const scene = await openPlanFixture()
  const usage = await fillCache(scene.page, scene.organisation.user_id)
  await scene.network.goDown()
  const browser = await scene.restartBrowser()
  const devtools = await browser.context.newCDPSession(await browser.open())
  const quotaSize = usage - 4 * MEGABYTE
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: scene.url, quotaSize })
  const page = await browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  expect(await ballastIn(page)).toBe(MEGABYTES)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  expect(await ballastIn(page)).toBe(0)
  await scene.network.goUp()
  await expectSentOnce(scene, page, TEXT)
})
