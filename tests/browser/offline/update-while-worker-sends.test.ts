// The user accepts a new build while the old service worker waits for the server: the browser replaces a
// worker only when it is idle, so the old one ends its replay.
import { expect, test } from 'vitest'
import { cardIn, openPlan, openPlans, post, SAVED } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { ClosedApp } from '../fixtures/closed-app.ts'
import { buildNext, buildOf } from '../fixtures/next-build.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const UPDATES = /\/updates$/
const TEXT = 'Posted before the update.'
/** Milliseconds; a held request is given up after 20 s. */
const SOONER = 15_000

test('an accepted update takes over before the held request is given up, and what was being sent arrives once', async () => {
  const next = await buildNext()
  const scene = await createBrowserFixture({ usedBefore: true, fullBrowser: true })
  const { ada, browser, network, plan, server } = scene
  const page = await openPlans(scene)
  const worker = await ClosedApp.attach(browser, scene.url, await browser.open())
  await openPlan(page, plan)
  const release = network.hold({ method: 'POST', path: UPDATES })
  await post(page, TEXT)
  await network.waitForRequests('POST', UPDATES)
  await worker.callWorker()
  await waitUntil('the worker waits for its turn', () =>
    page.evaluate(async () => {
      const { pending = [] } = await navigator.locks.query()
      return pending.some(({ name }) => name === 'cairn-replay')
    }),
  )
  await server.stop()
  await server.start({ dist: next })
  // The worker takes over from the page, and its request waits as well.
  await page.reload()
  await network.waitForRequests('POST', UPDATES, 2)
  await page.getByText('A new version is ready').waitFor()
  expect(
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      const { active, waiting } = registration
      return [active?.state, waiting?.state, navigator.serviceWorker.controller === active]
    }),
  ).toEqual(['activated', 'installed', true])

  // What the page shows from the click to the reload.
  await page.evaluate(() => {
    new MutationObserver(() => {
      const { innerText } = document.body
      if (innerText.includes('Updating…')) sessionStorage.setItem('shown', innerText)
    }).observe(document.body, { childList: true, subtree: true })
    // From the click itself: on a busy machine a test takes its time to press a button.
    const note = () => sessionStorage.setItem('accepted', String(Date.now()))
    addEventListener('click', note, { capture: true, once: true })
  })
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await waitUntil('the new build runs', async () => {
    const build = await buildOf(page).catch(() => undefined)
    return build === 'next'
  })
  const [accepted, started] = await page.evaluate(() => [
    Number(sessionStorage.getItem('accepted')),
    performance.timeOrigin,
  ])
  expect(accepted).toBeGreaterThan(0)
  expect(started - accepted).toBeLessThan(SOONER)
  expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toMatch(
    /Updating…\s+The new version starts as soon as the previous version stops sending/,
  )

  release()
  await waitUntil(
    'the update is on the server',
    async () => (await ada.updatesWithText(plan, TEXT)).length > 0,
  )
  await cardIn(page, TEXT, SAVED).waitFor({ state: 'detached' })
  expect(await ada.updatesWithText(plan, TEXT)).toHaveLength(1)
  expect(new Set(network.requests('POST', UPDATES).map(({ key }) => key)).size).toBe(1)
})
