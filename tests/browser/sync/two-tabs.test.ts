// Two tabs, one queue, one session: each operation is sent once, and the tokens are refreshed once.
import { expect, test } from 'vitest'
import {
  cardIn,
  openPlan,
  openPlans,
  post,
  waitForOfflineReady,
  waitForSent,
  SAVED,
  signIn,
} from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import {
  TOKEN_PATH,
  UPDATES_PATH,
  expireAccessTokens,
  expectOneRefresh,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

test('two tabs with an expired token refresh it once and send each update once', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, plan, unopened } = scene
  const one = await browser.open()
  await signIn(one, scene.url, ada)
  await waitForOfflineReady(one)
  await openPlan(one, plan)
  const other = await browser.open(`${scene.url}/success-plans/${unopened.id}`)
  await other.getByRole('heading', { name: unopened.title, level: 1 }).waitFor()
  await browser.context.setOffline(true)
  await post(one, 'Posted in one tab.')
  await post(other, 'Posted in the other tab.')
  await cardIn(one, 'Posted in one tab.', SAVED).waitFor()
  await cardIn(other, 'Posted in the other tab.', SAVED).waitFor()
  const issued = network.requests('POST', TOKEN_PATH)
  await expireAccessTokens(scene)

  await browser.context.setOffline(false)
  await waitUntil('both are answered', () => {
    const done = network.requests('POST', UPDATES_PATH).filter(({ status }) => status === 201)
    return done.length >= 2
  })
  await expectOneRefresh(scene, issued)
  for (const page of [one, other])
    await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  const accepted = network.requests('POST', UPDATES_PATH).filter(({ status }) => status !== 401)
  expect(accepted.map(({ status }) => status)).toEqual([201, 201])
  expect(accepted.map(({ replayed }) => replayed)).toEqual([false, false])
  await ada.signIn()
  expect(await ada.updatesWithText(plan, 'Posted in one tab.')).toHaveLength(1)
  expect(await ada.updatesWithText(unopened, 'Posted in the other tab.')).toHaveLength(1)
})

longTest('an update posted in one tab is shown as pending in the other', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { browser, plan } = scene
  const one = await openPlans(scene)
  await openPlan(one, plan)
  const other = await browser.open(`${scene.url}/success-plans/${plan.id}`)
  await other.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await browser.context.setOffline(true)
  await post(one, 'Seen in both.')
  await cardIn(other, 'Seen in both.', SAVED).waitFor()
  await browser.context.setOffline(false)
  for (const page of [one, other]) await waitForSent(page)
  expect(await scene.ada.updatesWithText(plan, 'Seen in both.')).toHaveLength(1)
})
