// A page is left while it waits for the lock of the replay, and the browser keeps it frozen in the
// back/forward cache: it waits no more, or the browser would grant it a lock that it cannot release.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { post } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

/** Milliseconds; a page stays in the cache for minutes. */
const STOPS_WITHIN_MS = 10_000
const TEXT = 'Posted while another tab sends.'

test('a page in the back/forward cache waits for no lock until it is shown again', async () => {
  const scene = await openPlanFixture({ usedBefore: true, fullBrowser: true })
  const { ada, browser, page, plan, url } = scene
  const holder = await browser.open(`${url}/healthz`)
  await holder.evaluate(
    () =>
      new Promise<void>((held) => {
        void navigator.locks.request('cairn-replay', async () => {
          held()
          await new Promise((release) => Object.assign(window, { release }))
        })
      }),
  )
  await page.bringToFront()
  await page.evaluate(() =>
    addEventListener('pagehide', ({ persisted }) =>
      sessionStorage.setItem('cached', String(persisted)),
    ),
  )
  await post(page, TEXT)
  const client = await waitUntil('the page waits for the lock', async () => {
    const [first] = await waitingFor(holder)
    return first
  })
  // No page of the app: its messages would end the frozen page.
  await page.goto(`${url}/healthz`)
  expect(await page.evaluate(() => sessionStorage.getItem('cached'))).toBe('true')
  await waitUntil(
    'the frozen page waits no more',
    async () => !(await waitingFor(holder)).includes(client),
    STOPS_WITHIN_MS,
  )
  await holder.evaluate(() => (window as unknown as { release: () => void }).release())
  // By hand: goBack() waits for a load, which a page out of the cache does not have.
  await page.evaluate(() => history.back())
  await waitUntil('the server has it', async () => {
    const stored = await ada.updatesWithText(plan, TEXT)
    return stored.length === 1
  })
})

/** The clients that wait for the lock of the replay. */
const waitingFor = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(async () => {
    const { pending = [] } = await navigator.locks.query()
    return pending.filter(({ name }) => name === 'cairn-replay').map(({ clientId }) => clientId)
  })
