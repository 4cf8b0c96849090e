// The browser is killed right after "Saved on this device": the update is still there, and is sent
// exactly once. Text that was not confirmed is still in the form.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { SAVED, card, cardIn, composer, openPlan, openPlans, post } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const UPDATES = /\/updates$/

test('each confirmed update survives a kill of the browser and is sent once', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  await openPlans(scene)
  await scene.server.stop()
  await scene.network.goDown()
  const texts = ['Written in the tunnel.', 'Written on the ferry.', 'Written in the lift.']

  for (const [index, text] of texts.entries()) {
    const page = await scene.browser.open(`${scene.url}/success-plans/${plan.id}`)
    await post(page, text)
    await page.getByRole('status').filter({ hasText: SAVED }).waitFor()
    await scene.restartBrowser()
    const reopened = await scene.browser.open(`${scene.url}/success-plans/${plan.id}`)
    for (const saved of texts.slice(0, index + 1)) await cardIn(reopened, saved, SAVED).waitFor()
    expect(await composer(reopened).inputValue()).toBe('')
    await reopened.close()
  }

  const last = await scene.browser.open(`${scene.url}/success-plans/${plan.id}`)
  await scene.network.goUp()
  await scene.server.start()
  for (const text of texts) {
    await waitUntil(
      `the server has “${text}”`,
      async () => {
        const stored = await ada.updatesWithText(plan, text)
        return stored.length > 0
      },
      60_000,
    )
    await card(last, text).waitFor()
  }
  await last.getByText(SAVED).first().waitFor({ state: 'detached' })
  for (const text of texts) expect(await ada.updatesWithText(plan, text)).toHaveLength(1)
  const sent = scene.network.requests('POST', UPDATES).filter((one) => one.upstream !== undefined)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
  // In the order of posting.
  const written = await Promise.all(
    texts.map(async (text) => (await ada.updatesWithText(plan, text))[0]?.version),
  )
  expect(written).toEqual(written.toSorted((a, b) => Number(a) - Number(b)))
})

/** Blocks the table of operations for the lifetime of the page: no operation can be stored. */
const blockOutbox = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('cairn')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('It does not open.'))
    })
    const table = database.transaction('operations', 'readwrite').objectStore('operations')
    const reopened = () => {
      table.count().onsuccess = reopened
    }
    reopened()
  })

test('a kill before confirmation keeps the text in the form and sends nothing', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await scene.network.goDown()
  await composer(page).fill('Half a thought on the stairs.')
  // A draft is stored a moment after the last key press.
  await waitUntil('the draft is stored', () =>
    page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('cairn')
        request.onsuccess = () => resolve(request.result)
      })
      const drafts = database.transaction('drafts').objectStore('drafts').getAll()
      return await new Promise<boolean>((resolve) => {
        drafts.onsuccess = () => resolve(JSON.stringify(drafts.result).includes('Half a thought'))
      })
    }),
  )
  // Only now: what reads operations and session would also hold up the draft.
  await blockOutbox(page)
  await page.getByRole('button', { name: 'Post update' }).click()
  await page.getByRole('status').filter({ hasText: 'Saving' }).waitFor()
  expect(await page.getByText(SAVED).count()).toBe(0)

  const browser = await scene.restartBrowser()
  const reopened = await browser.open(`${scene.url}/success-plans/${plan.id}`)
  await reopened.getByText('Draft restored').waitFor()
  expect(await composer(reopened).inputValue()).toBe('Half a thought on the stairs.')
  expect(await card(reopened, 'Half a thought').count()).toBe(0)
  await reopened.getByRole('button', { name: 'Post update' }).click()
  await cardIn(reopened, 'Half a thought', SAVED).waitFor()
  await scene.network.goUp()
  await waitUntil('the server has it', async () => {
    const stored = await ada.updatesWithText(plan, 'Half a thought on the stairs.')
    return stored.length > 0
  })
  expect(await ada.updatesWithText(plan, 'Half a thought on the stairs.')).toHaveLength(1)
})
