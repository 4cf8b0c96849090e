// The browser was killed, and there is no network: the app opens, and everything is there.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openPlan, openPlans, planRow } from './app.ts'
import { setScene, type Scene } from './scene.ts'
import { HISTORY } from './team.ts'
import { until } from './until.ts'

/** Than anything gives up waiting for an answer. Milliseconds. */
const SOONER = 15_000

async function everythingIsThere(page: Page, scene: Scene): Promise<void> {
  await page.getByRole('heading', { name: 'What needs you, Ada', level: 1 }).waitFor()
  await page.getByRole('link', { name: scene.unopened.title }).waitFor()
  await page.getByRole('link', { name: 'Success plans' }).click()
  await planRow(page, scene.plan).waitFor()
  await page
    .getByText(/Offline · as of/)
    .first()
    .waitFor()

  await openPlan(page, scene.unopened)
  await page.getByText(HISTORY.unopened).waitFor()
  await page.getByText('All fifteen sites work in it daily.').waitFor()

  await page.getByRole('link', { name: 'Accounts' }).first().click()
  await page
    .getByRole('link', { name: new RegExp(scene.account.name) })
    .first()
    .click()
  await page.getByRole('heading', { name: scene.account.name, level: 1 }).waitFor()
  await page.getByText('Mira Stone').waitFor()
}

test('a dead server: list, a plan never opened before, and an account are there', async () => {
  const scene = await setScene({ usedBefore: true })
  await openPlans(scene)
  await scene.server.stop()
  await scene.network.goDown()
  const browser = await scene.restartBrowser()
  const page = await browser.open(scene.url)
  await everythingIsThere(page, scene)
})

test('a server that refuses to speak: the same', async () => {
  const scene = await setScene({ usedBefore: true })
  await openPlans(scene)
  await scene.server.kill()
  const browser = await scene.restartBrowser()
  const page = await browser.open(scene.url)
  await everythingIsThere(page, scene)
})

test('flight mode: the same', async () => {
  const scene = await setScene()
  await openPlans(scene)
  const browser = await scene.restartBrowser()
  await browser.context.setOffline(true)
  const before = scene.network.exchanges.length
  const page = await browser.open(scene.url)
  await everythingIsThere(page, scene)
  expect(scene.network.exchanges.length).toBe(before)
})

test('a link into the app opens its screen', async () => {
  const scene = await setScene({ usedBefore: true })
  await openPlans(scene)
  await scene.network.goDown()
  const browser = await scene.restartBrowser()
  const page = await browser.open(`${scene.url}/success-plans/${scene.unopened.id}`)
  await page.getByRole('heading', { name: scene.unopened.title, level: 1 }).waitFor()
  await page.getByText(HISTORY.unopened).waitFor()
})

test('a network that never answers holds up nothing', async () => {
  const scene = await setScene({ usedBefore: true })
  await openPlans(scene)
  const browser = await scene.restartBrowser()
  const release = scene.network.hold({ path: /./ })
  const page = await browser.open(`${scene.url}/success-plans`)
  await planRow(page, scene.plan).waitFor({ timeout: SOONER })
  await openPlan(page, scene.unopened)
  await page.getByText(HISTORY.unopened).waitFor({ timeout: SOONER })
  release()
})

test.for([
  ['the organisation', ['active_organisation']],
  ['the session', ['active_organisation', 'access_token', 'refresh_token', 'user']],
] as const)(
  'a kill cost the page its quick copy of %s: it opens where it was',
  async ([, keys]) => {
    const scene = await setScene({ usedBefore: true })
    await openPlans(scene)
    // What a kill does to localStorage: it is as it was some seconds ago.
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

test('the first rows wait for the app’s own code, or stay in its way', async () => {
  const scene = await setScene({ usedBefore: true })
  const before = await openPlans(scene)
  await until('there is a picture of the list', () =>
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
