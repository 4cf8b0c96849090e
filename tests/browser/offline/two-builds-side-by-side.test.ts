// After an update one tab runs on with the build before, beside a tab of the present one. They share the
// device's session, queue, locks and channel: nothing is sent twice, and tokens are renewed once.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { previousApp } from '../../fixtures/previous-build.ts'
import { SAVED, chooseSignOut, cardIn, post } from '../fixtures/app.ts'
import {
  TOKEN_PATH,
  UPDATES_PATH,
  expireAccessTokens,
  countKeys,
  expectOneRefresh,
} from '../fixtures/open-plan-fixture.ts'
import {
  acceptUpdate,
  openPlanBefore,
  postBefore,
  runsPresent,
  signInBefore,
  signOutBefore,
} from '../fixtures/previous-app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { buildNext } from '../fixtures/next-build.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'
import { isLongRun } from '../../sample.ts'

/** How often the access token expires while both tabs have something to send. */
const ROUNDS = isLongRun ? [1, 2] : [1]

/** A tab of the build before and one of the present build, on the same plan. */
async function bothBuilds(): Promise<BrowserFixture & { before: Page; present: Page }> {
  const next = await buildNext()
  const scene = await createBrowserFixture({
    dist: await previousApp(),
  })
  const { ada, browser, plan, server, url } = scene
  const before = await browser.open()
  await signInBefore(before, url, ada)
  await openPlanBefore(before, url, plan)
  await server.stop()
  await server.start({ dist: next })
  const present = await browser.open(`${url}/success-plans/${plan.id}`)
  await acceptUpdate(present)
  await present.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  expect(await runsPresent(before)).toBe(false)
  return { ...scene, before, present }
}

/** The refresh tokens that the server has answered from now on. Grows while the test goes on. */
function collectSpentTokens({ context }: BrowserFixture['browser']): string[] {
  const spent: string[] = []
  context.on('response', (response) => {
    if (!TOKEN_PATH.test(new URL(response.url()).pathname)) return
    const { refresh_token } = response.request().postDataJSON() as { refresh_token?: string }
    if (refresh_token !== undefined) spent.push(refresh_token)
  })
  return spent
}

test('tabs of two builds send each update once and in order, with one refresh per expiry', async () => {
  const scene = await bothBuilds()
  const { ada, before, browser, network, plan, present } = scene
  const spent = collectSpentTokens(browser)
  const texts: string[] = []
  const isSent = () =>
    countKeys(network.requests('POST', UPDATES_PATH).filter(({ upstream }) => upstream === 201)) >=
    texts.length

  for (const round of ROUNDS) {
    await browser.context.setOffline(true)
    for (const number of [1, 2]) {
      const [mine, theirs] = [`Old ${round}.${number}.`, `New ${round}.${number}.`]
      await postBefore(before, mine)
      await cardIn(present, mine, SAVED).waitFor()
      await post(present, theirs)
      for (const page of [present, before]) await cardIn(page, theirs, SAVED).waitFor()
      texts.push(mine, theirs)
    }
    const issued = network.requests('POST', TOKEN_PATH)
    await expireAccessTokens(scene)
    await browser.context.setOffline(false)
    await waitUntil('all is sent', isSent)
    await expectOneRefresh(scene, issued)
    for (const page of [before, present])
      await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  }

  expect(new Set(spent).size).toBe(spent.length)
  const accepted = network.requests('POST', UPDATES_PATH).filter(({ upstream }) => upstream !== 401)
  expect(accepted.map(({ upstream, replayed }) => [upstream, replayed])).toEqual(
    texts.map(() => [201, false]),
  )
  expect(countKeys(network.requests('POST', UPDATES_PATH))).toBe(texts.length)
  await ada.signIn()
  const written = await Promise.all(texts.map((text) => ada.updatesWithText(plan, text)))
  expect(written.map(({ length }) => length)).toEqual(texts.map(() => 1))
  const versions = written.map(([update]) => Number(update?.version))
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  expect([await runsPresent(before), await runsPresent(present)]).toEqual([false, true])
})

/** How many contexts of the device refresh the tokens, or wait for another one that does. */
const refreshing = (page: Page) =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query()
    return [...held, ...pending].filter(({ name }) => name === 'cairn-refresh').length
  })

longTest('tabs of two builds that meet an expired token at once refresh it once', async () => {
  const scene = await bothBuilds()
  const { before, browser, network, present } = scene
  const spent = collectSpentTokens(browser)
  await waitUntil('no refresh is under way', () =>
    network.requests('POST', TOKEN_PATH).every(({ answered }) => answered !== undefined),
  )
  const release = network.hold({ method: 'POST', path: TOKEN_PATH })
  const issued = network.requests('POST', TOKEN_PATH)
  await expireAccessTokens(scene)
  const refreshes = () => network.requests('POST', TOKEN_PATH).slice(issued.length)
  // Each asks the server for the organisations, outside of the locks for sending and reading. Neither page
  // is reloaded: that would end a refresh that it may have begun already, and another tab repeats it.
  for (const page of [before, present]) {
    await page.getByRole('button', { name: /Your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Switch organisation' }).click()
  }
  await waitUntil(
    'both have to refresh',
    async () => refreshes().length > 1 || (await refreshing(present)) > 1,
  )
  expect(refreshes()).toHaveLength(1)
  release()
  // The organisations may come from the device's copy, before the server has answered.
  await waitUntil(
    'the refresh is answered and no tab waits for it',
    async () => refreshes()[0]?.status !== undefined && (await refreshing(present)) === 0,
  )
  expect(refreshes()[0]?.status).toBe(200)
  for (const page of [before, present])
    await page
      .getByRole('list')
      .getByRole('button', { name: /Ridge and Partners/ })
      .waitFor()
  // A slow machine may outlive the next access token, too: then its refresh uses the next refresh token.
  expect(new Set(spent).size).toBe(spent.length)
  expect([await runsPresent(before), await runsPresent(present)]).toEqual([false, true])
})

for (const [here, there, signOut] of [
  ['before', 'present', signOutBefore],
  ['present', 'before', chooseSignOut],
] as const)
  longTest(`signing out in the tab of the build ${here} signs out the other tab`, async () => {
    const tabs = await bothBuilds()
    await signOut(tabs[here])
    for (const page of [tabs[here], tabs[there]])
      await waitUntil('the page asks to sign in', () => new URL(page.url()).pathname === '/auth')
    const tokens = await tabs[there].evaluate(() =>
      ['access_token', 'refresh_token', 'user'].map((key) => localStorage.getItem(key)),
    )
    expect(tokens).toEqual([null, null, null])
  })
