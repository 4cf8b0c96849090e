// Many updates were posted without a network: they leave in a few requests, and each arrives once and in the
// order of its plan, also when the answer is lost or one of them is refused.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { cardIn, composer, openPlan, openPlans, post, waitForSent, SAVED } from '../fixtures/app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { UPDATES_PATH } from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const BATCH_PATH = /\/api\/v1\/batch$/
const EACH = 10

interface Trip {
  scene: BrowserFixture
  page: Page
  plans: SuccessPlan[]
}

const textsFor = (plan: SuccessPlan, count = EACH) =>
  Array.from({ length: count }, (_, index) => `${plan.title}, day ${index + 1}.`)

/** Ada's four plans, with updates that she posts to each without a network. */
async function postedOffline(count = EACH): Promise<Trip> {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, plan, unopened, url } = scene
  const others = await Promise.all(
    ['Coast', 'Hills'].map(async (title) => {
      const body = { title, type: 'project', status: 'in-progress' }
      return ((await ada.call('POST', '/api/v1/success-plans', body)) as { data: SuccessPlan }).data
    }),
  )
  const plans = [plan, unopened, ...others]
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await browser.context.setOffline(true)
  for (const one of plans) {
    if (one !== plan) await page.goto(`${url}/success-plans/${one.id}`)
    await composer(page).waitFor()
    const texts = textsFor(one, count)
    for (const text of texts) await post(page, text)
    await cardIn(page, texts.at(-1) ?? '', SAVED).waitFor()
  }
  return { scene, page, plans }
}

/** The texts of a plan's updates on the server, in the order in which they were stored. */
async function stored({ ada }: BrowserFixture, plan: SuccessPlan): Promise<string[]> {
  const path = `/api/v1/success-plans/${plan.id}/updates?per_page=100`
  const { data } = (await ada.call('GET', path)) as { data: SuccessPlanUpdate[] }
  const own = data.filter(({ body }) => body.startsWith(`${plan.title}, day `))
  return own.toSorted((a, b) => a.version - b.version).map(({ body }) => body)
}

const allStored = ({ scene, plans }: Trip, count = EACH) =>
  waitUntil('the server has all updates', async () => {
    const counts = await Promise.all(plans.map(async (plan) => (await stored(scene, plan)).length))
    return counts.every((found) => found >= count)
  })

longTest(
  'forty updates of four plans are at most three requests, each once and in order',
  async () => {
    const trip = await postedOffline()
    const { scene, page, plans } = trip
    await scene.browser.context.setOffline(false)
    await allStored(trip)
    await waitForSent(page)
    for (const plan of plans) expect(await stored(scene, plan)).toEqual(textsFor(plan))
    const { network } = scene
    const sent = [
      ...network.requests('POST', BATCH_PATH),
      ...network.requests('POST', UPDATES_PATH),
    ]
    expect(sent.length).toBeLessThanOrEqual(3)
  },
)

test('after a lost answer each update is there once', async () => {
  const trip = await postedOffline(3)
  const { scene, page, plans } = trip
  const { browser, network } = scene
  network.injectFault({ method: 'POST', path: BATCH_PATH }, { kind: 'answer-lost' }, 1)
  await browser.context.setOffline(false)
  await allStored(trip, 3)
  await waitForSent(page)
  expect(network.requests('POST', BATCH_PATH)[0]).toMatchObject({
    upstream: 200,
    status: undefined,
  })
  for (const plan of plans) expect(await stored(scene, plan)).toEqual(textsFor(plan, 3))
})

longTest('an update that is refused needs attention, and the others arrive', async () => {
  const trip = await postedOffline(2)
  const { scene, page, plans } = trip
  const gone = plans.at(-1)
  await scene.ada.call('DELETE', `/api/v1/success-plans/${gone?.id}`)
  await scene.browser.context.setOffline(false)
  await allStored({ ...trip, plans: plans.slice(0, -1) }, 2)
  for (const plan of plans.slice(0, -1))
    expect(await stored(scene, plan)).toEqual(textsFor(plan, 2))
  await page
    .getByRole('button', { name: /needs? attention/i })
    .first()
    .waitFor()
})
