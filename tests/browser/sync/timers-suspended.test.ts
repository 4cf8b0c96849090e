// Without Background Sync an open app must notice by itself that it can send. Timers are suspended here,
// so only the tested event can wake it.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { cardIn, openPlan, post, waitForOfflineReady, SAVED, signIn } from '../fixtures/app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { sampleOf } from '../../sample.ts'

const UPDATES = /\/updates$/
const TEXT = 'Waiting for the network.'

/** An operation is pending, the network is back, and no timer fires. */
async function pendingWithoutTimers(): Promise<{ scene: BrowserFixture; page: Page }> {
  const scene = await createBrowserFixture()
  const { browser, network, plan } = scene
  const page = await browser.open()
  await page.clock.install()
  await signIn(page, scene.url, scene.ada)
  await waitForOfflineReady(page)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  // Work that the pause itself has started comes to its end.
  await page.evaluate(async () => {
    await navigator.locks.request('cairn-replay', () => undefined)
  })
  await network.goUp()
  expect(network.requests('POST', UPDATES)).toEqual([])
  return { scene, page }
}

const TRIGGERS: [string, (page: Page, scene: BrowserFixture) => Promise<unknown>][] = [
  ['a start', (page) => page.reload()],
  [
    'an online event',
    async (_page, { browser }) => {
      await browser.context.setOffline(true)
      await browser.context.setOffline(false)
    },
  ],
  [
    'the tab becomes visible',
    async (page) => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    },
  ],
  [
    'the page is restored from the back/forward cache',
    async (page) => {
      await page.evaluate(() =>
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
      )
    },
  ],
  [
    'any successful request',
    async (page) => {
      await page.getByRole('button', { name: /Your menu/ }).click()
      await page
        .getByRole('menuitem', { name: /organisation/i })
        .first()
        .click()
    },
  ],
]

test.for(sampleOf(TRIGGERS, 2, 'timers suspended'))(
  'sends pending updates after %s',
  async ([, wake]) => {
    const { scene, page } = await pendingWithoutTimers()
    await wake(page, scene)
    await waitUntil('the update is answered', () =>
      scene.network.requests('POST', UPDATES).some(({ status }) => status === 201),
    )
    expect(await scene.ada.updatesWithText(scene.plan, TEXT)).toHaveLength(1)
  },
)
