// Where most proofs begin: somebody is signed in, the organisation is on the device, a plan is open.
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPlan, openPlans, post, SAVED } from './app.ts'
import type { Exchange } from './fault-server.ts'
import { createBrowserFixture, type BrowserFixture, type BrowserFixtureOptions } from './scene.ts'
import { waitUntil } from './until.ts'

export const UPDATES_PATH = /\/updates$/
export const TOKEN_PATH = /^\/oauth\/token$/

export interface OpenPlanFixture extends BrowserFixture {
  page: Page
}

export async function openPlanFixture(options?: BrowserFixtureOptions): Promise<OpenPlanFixture> {
  // Another server would have given her another session.
  const scene = await createBrowserFixture(options ?? { usedBefore: true })
  const page = await openPlans(scene)
  await openPlan(page, scene.plan)
  return { ...scene, page }
}

/** Another tab of the same person, on the same plan. */
export async function openSecondTab({ browser, plan, url }: BrowserFixture): Promise<Page> {
  const page = await browser.open(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  return page
}

/** Posts in the first of two tabs; returns the one that sends it, which had the lock first, and the other. */
export async function postFrom(tabs: readonly [Page, Page], text: string): Promise<[Page, Page]> {
  const { promise: sends, resolve } = Promise.withResolvers<Page>()
  for (const tab of tabs)
    tab.on('request', (request) => {
      if (request.method() === 'POST' && UPDATES_PATH.test(request.url())) resolve(tab)
    })
  await post(tabs[0], text)
  return (await sends) === tabs[0] ? [...tabs] : [tabs[1], tabs[0]]
}

/** Waits until nothing waits on the screen, and checks that the server has each text once. */
export async function expectSentOnce(
  { ada, plan }: BrowserFixture,
  page: Page,
  ...texts: string[]
): Promise<void> {
  for (const text of texts)
    await waitUntil(`the server has “${text}”`, async () => {
      const there = await ada.updatesWithText(plan, text)
      return there.length > 0
    })
  await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  for (const text of texts)
    expect([text, (await ada.updatesWithText(plan, text)).length]).toEqual([text, 1])
}

/** How many keys those exchanges had. */
export const countKeys = (exchanges: readonly Exchange[]): number =>
  new Set(exchanges.map(({ key }) => key)).size

/** How long the database may take when nobody keeps it. Milliseconds. */
const FREE_WITHIN = 3_000

/**
 * Freezes a tab of the app between two transactions: one that is open would keep all others out for as
 * long as it is frozen. Returns what thaws it.
 */
export async function freezeWithoutLocks(
  { browser, url }: BrowserFixture,
  page: Page,
): Promise<() => Promise<void>> {
  const beside = await browser.open(`${url}/healthz`)
  const hadAll = () =>
    beside.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('cairn')
        request.onsuccess = () => resolve(request.result)
      })
      await new Promise((resolve) => {
        const all = database.transaction([...database.objectStoreNames], 'readwrite')
        all.oncomplete = resolve
      })
      database.close()
      return true
    })
  const thaw = await waitUntil('the tab is frozen, and keeps nobody out', async () => {
    await hadAll()
    const thawed = await browser.freeze(page)
    const free = await Promise.race([hadAll(), setTimeout(FREE_WITHIN, false)])
    if (free) return thawed
    await thawed()
    return null
  })
  await beside.close()
  return thaw
}
