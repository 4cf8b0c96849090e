// Without Background Sync an open app must notice by itself that it can send. Timers stand still here,
// so it is this one thing that has woken it.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { cardIn, openPlan, post, readyForTheAir, SAVED, signIn } from './app.ts'
import { setScene, type Scene } from './scene.ts'
import { until } from './until.ts'

const UPDATES = /\/updates$/
const TEXT = 'Waiting for somebody to notice.'

/** Something waits, the network is back, and no timer will ever tell. */
async function waitingUnnoticed(): Promise<{ scene: Scene; page: Page }> {
  const scene = await setScene()
  const { browser, network, plan } = scene
  const page = await browser.open()
  await page.clock.install()
  await signIn(page, scene.url, scene.ada)
  await readyForTheAir(page)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  // What the pause itself has let run comes to its end.
  await page.evaluate(async () => {
    await navigator.locks.request('cairn-replay', () => undefined)
  })
  await network.comeUp()
  expect(network.seen('POST', UPDATES)).toEqual([])
  return { scene, page }
}

const WAKES: [string, (page: Page, scene: Scene) => Promise<unknown>][] = [
  ['a start', (page) => page.reload()],
  [
    'the network is said to be back',
    async (_page, { browser }) => {
      await browser.context.setOffline(true)
      await browser.context.setOffline(false)
    },
  ],
  [
    'the tab is looked at again',
    async (page) => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    },
  ],
  [
    'the page comes back from the history',
    async (page) => {
      await page.evaluate(() =>
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
      )
    },
  ],
  [
    'any call is answered',
    async (page) => {
      await page.getByRole('button', { name: /Your menu/ }).click()
      await page
        .getByRole('menuitem', { name: /organisation/i })
        .first()
        .click()
    },
  ],
]

test.for(WAKES)('%s: what waits is sent', async ([, wake]) => {
  const { scene, page } = await waitingUnnoticed()
  await wake(page, scene)
  await until('the update is answered', () =>
    scene.network.seen('POST', UPDATES).some(({ status }) => status === 201),
  )
  expect(await scene.ada.updatesSaying(scene.plan, TEXT)).toHaveLength(1)
})
