// The browser was killed, and there is no network: the app opens with everything stored.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openPlan, openPlans, planRow } from '../fixtures/app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'
import { sampleOf } from '../../sample.ts'

/** Milliseconds; longer than any timeout of a request. */
const SOONER = 15_000

async function everythingIsThere(page: Page, scene: BrowserFixture): Promise<void> {
  await page.getByRole('heading', { name: 'What needs your attention, Ada', level: 1 }).waitFor()
  await page.getByRole('link', { name: scene.unopened.title }).waitFor()
  await page.getByRole('link', { name: 'Success plans' }).click()
  await planRow(page, scene.plan).waitFor()
  await page
    .getByText(/Offline · as of/)
    .first()
    .waitFor()

  await openPlan(page, scene.unopened)
  await page.getByText(HISTORY.unopened).waitFor()
  await page.getByRole('navigation', { name: 'Parts of this plan' }).getByText('About').click()
  await page.getByText('All fifteen sites work in it daily.').waitFor()

  await page.getByRole('link', { name: 'Accounts' }).first().click()
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await page
    .getByRole('link', { name: new RegExp(scene.account.name) })
    .first()
    .click()
  await page.getByRole('heading', { name: scene.account.name, level: 1 }).waitFor()
  await page.getByText('Mira Stone').waitFor()
}

test('everything opens without a server: lists, a plan never opened before and an account', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  await openPlans(scene)
  await scene.server.stop()
  await scene.network.goDown()
  const browser = await scene.restartBrowser()
  const page = await browser.open(scene.url)
  await everythingIsThere(page, scene)
})

longTest('everything opens when the server refuses connections', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  await openPlans(scene)
  await scene.server.kill()
  const browser = await scene.restartBrowser()
  const page = await browser.open(scene.url)
  await everythingIsThere(page, scene)
})

longTest('everything opens in flight mode, and nothing but reads is tried', async () => {
  const scene = await createBrowserFixture({ newDevice: true })
  await openPlans(scene)
  const browser = await scene.restartBrowser()
  await browser.context.setOffline(true)
  const tried: string[] = []
  browser.context.on('request', (request) => tried.push(request.method()))
  const page = await browser.open(scene.url)
  await everythingIsThere(page, scene)
  expect(new Set(tried)).toEqual(new Set(['GET']))
})

longTest('a deep link opens its screen offline', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  await openPlans(scene)
  await scene.network.goDown()
  const browser = await scene.restartBrowser()
  const page = await browser.open(`${scene.url}/success-plans/${scene.unopened.id}`)
  await page.getByRole('heading', { name: scene.unopened.title, level: 1 }).waitFor()
  await page.getByText(HISTORY.unopened).waitFor()
})

longTest(
  'a text shared to the app, which ends like the name of a file, opens offline',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    await openPlans(scene)
    await scene.network.goDown()
    const browser = await scene.restartBrowser()
    const page = await browser.open(
      `${scene.url}/success-plans?share_text=${encodeURIComponent('See https://example.com/report.pdf')}`,
    )
    await page.getByText('See https://example.com/report.pdf').waitFor()
  },
)

longTest('requests that never end delay nothing', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  await openPlans(scene)
  const browser = await scene.restartBrowser()
  const release = scene.network.hold({ path: /./ })
  const page = await browser.open(`${scene.url}/success-plans`)
  await planRow(page, scene.plan).waitFor({ timeout: SOONER })
  await page.goto(`${scene.url}/success-plans/${scene.unopened.id}`)
  const heading = page.getByRole('heading', { name: scene.unopened.title, level: 1 })
  await heading.waitFor({ timeout: SOONER })
  await page.getByText(HISTORY.unopened).waitFor({ timeout: SOONER })
  release()
})

const LOST_KEYS = [
  ['the organisation', ['active_organisation']],
  ['the session', ['active_organisation', 'access_token', 'refresh_token', 'user']],
] as const

test.for(sampleOf(LOST_KEYS, 1, 'restored keys'))(
  'restores %s from IndexedDB when a kill cost the copy in localStorage',
  async ([, keys]) => {
    const scene = await createBrowserFixture({ usedBefore: true })
    await openPlans(scene)
    // A kill loses the last seconds of localStorage.
    const page = await scene.browser.open(`${scene.url}/icons/mark.svg`)
    for (const other of scene.browser.context.pages()) if (other !== page) await other.close()
    await page.evaluate((lost) => {
      for (const key of lost) localStorage.removeItem(key)
      localStorage.setItem('session_seq', '1')
    }, keys)
    await scene.network.goDown()
    const { pathname } = new URL(`${scene.url}/success-plans/${scene.unopened.id}`)
    await page.goto(scene.url + pathname)
    await page.getByRole('heading', { name: scene.unopened.title, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
  },
)

test('shows the first rows from the snapshot before the app’s code runs, and hands over to it', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const before = await openPlans(scene)
  await waitUntil('there is a boot snapshot of the list', () =>
    before.evaluate(() => localStorage.getItem('first_picture')?.includes('data-plan')),
  )
  await scene.network.goDown()
  await scene.browser.context.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-plan]')) return
      observer.disconnect()
      const root = document.querySelector('#root')
      const isReacts = Object.keys(root ?? {}).some((key) => key.startsWith('__react'))
      document.documentElement.dataset['firstRows'] = isReacts ? 'the app' : 'its picture'
    }).observe(document, { childList: true, subtree: true })
  })
  const page = await scene.browser.open(`${scene.url}/success-plans`)
  await planRow(page, scene.plan).waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['firstRows'])).toBe(
    'its picture',
  )
  await page.locator('#root > [inert]').waitFor({ state: 'detached' })
  await openPlan(page, scene.plan)
})
