// A new build is deployed while an update is pending: it is neither lost nor sent twice, a draft survives
// the change, and a tab with the old build can still open all its screens.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import {
  SAVED,
  cardIn,
  composer,
  openPlan,
  openPlans,
  pickOrganisation,
  post,
} from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { buildNext, buildOf, removedScreens } from '../fixtures/next-build.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const UPDATES = /\/updates$/
const TEXT = 'Posted in the old build.'

/** The states of the active worker and of the one that waits. */
const workerStates = (page: Page) =>
  page.evaluate(async () => {
    const { active, waiting } = await navigator.serviceWorker.ready
    return [active?.state, waiting?.state]
  })

/** What the prompt lies on, at the size of a phone: wherever the screen is scrolled to, nothing. */
async function coveredControls(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 360, height: 740 })
  const covered = await page.getByText('A new version is ready').evaluate((text) => {
    const prompt = text.closest('output')?.parentElement
    const fields = [...document.querySelectorAll('main :is(a, button, input, select, textarea)')]
    const beneath = new Set<string>()
    for (let at = 0; at < document.documentElement.scrollHeight; at += 40) {
      scrollTo(0, at)
      const { left, right, top, bottom } = prompt?.getBoundingClientRect() ?? new DOMRect()
      for (const field of fields) {
        const box = field.getBoundingClientRect()
        const isBeside = box.left >= right || box.right <= left
        const isApart = box.top >= bottom || box.bottom <= top
        if (box.width > 0 && !isBeside && !isApart) beneath.add(field.outerHTML.slice(0, 80))
      }
    }
    scrollTo(0, 0)
    return [...beneath]
  })
  await page.setViewportSize(size)
  return covered
}

test('pending operations and drafts survive an app update, and an old tab keeps working', async () => {
  const next = await buildNext()
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, network, plan, server } = scene
  const page = await openPlans(scene)
  const oldTab = await browser.open(`${scene.url}/organisations`)
  await oldTab.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
  await openPlan(page, plan)
  const busy = network.injectFault(
    { method: 'POST', path: UPDATES },
    { kind: 'answered', status: 503, body: '{"message":"We are being deployed."}' },
  )
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()

  // After the deployment the server has the old build's lazy screens no more.
  await server.stop()
  await server.start({ dist: next })
  const removed = await removedScreens(inject('dist'), next)
  expect(removed).not.toEqual([])
  for (const path of removed) expect((await fetch(server.url + path)).status).toBe(404)
  await page.reload()
  await composer(page).fill('Half a sentence')
  await page.getByText('A new version is ready').waitFor({ timeout: 40_000 })
  const news = (await readFile(join(next, 'whats-new.txt'), 'utf8')).trim()
  expect(news).toMatch(/^[^*`[\]]{10,200}$/)
  await page.getByText(news).waitFor()
  expect(await coveredControls(page)).toEqual([])
  expect(await buildOf(page)).toBe(undefined)
  // Nor does the new worker take over by itself.
  expect(await workerStates(page)).toEqual(['activated', 'installed'])
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await waitUntil('the new build runs', async () => {
    const build = await buildOf(page).catch(() => undefined)
    return build === 'next'
  })
  await cardIn(page, TEXT, SAVED).waitFor()
  await page.getByText('Draft restored').waitFor()
  expect(await composer(page).inputValue()).toBe('Half a sentence')

  // The other tab was not updated and still runs; its screens come from the cache of the old build.
  expect(await buildOf(oldTab)).toBe(undefined)
  const devtools = await browser.context.newCDPSession(oldTab)
  await devtools.send('Network.clearBrowserCache')
  await pickOrganisation(oldTab)
  await openPlan(oldTab, plan)
  expect(await buildOf(oldTab)).toBe(undefined)

  busy()
  await waitUntil('the update is answered', () =>
    network.requests('POST', UPDATES).some(({ status }) => status === 201),
  )
  await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  expect(await ada.updatesWithText(plan, TEXT)).toHaveLength(1)
  expect(new Set(network.requests('POST', UPDATES).map(({ key }) => key)).size).toBe(1)
})
