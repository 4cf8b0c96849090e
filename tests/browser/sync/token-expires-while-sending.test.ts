// Many updates were posted offline, and the access token expires while they are sent: one refresh, and
// all of them arrive, once and in order.
import { expect, test } from 'vitest'
import { card, cardIn, composer, post, SAVED } from '../fixtures/app.ts'
import {
  expectOneRefresh,
  expectSentOnce,
  openPlanFixture,
  countKeys,
  TOKEN_PATH,
  UPDATES_PATH,
  expireAccessTokens,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { sampleOf } from '../../sample.ts'

const BATCH_PATH = /\/api\/v1\/batch$/

/** So many updates of two plans are posted without a network; they are sent in requests with that path. */
const CASES = [
  { each: 2, path: UPDATES_PATH, held: 2, answered: 4 },
  { each: 6, path: BATCH_PATH, held: 1, answered: 1 },
]

test.for(sampleOf(CASES, 1, 'token expires'))(
  'a token that expires while two lanes are sent is refreshed once, and $each updates of each arrive once, in order',
  async ({ each, path, held, answered }) => {
    const scene = await openPlanFixture()
    const { ada, browser, network, page, plan, unopened, url } = scene
    await browser.context.setOffline(true)
    const texts = (of: string) => Array.from({ length: each }, (_, index) => `${of} ${index + 1}.`)
    for (const text of texts('Here')) await post(page, text)
    await cardIn(page, `Here ${each}.`, SAVED).waitFor()
    await page.goto(`${url}/success-plans/${unopened.id}`)
    await composer(page).waitFor()
    for (const text of texts('There')) await post(page, text)
    await cardIn(page, `There ${each}.`, SAVED).waitFor()

    const release = network.hold({ method: 'POST', path })
    await browser.context.setOffline(false)
    await network.waitForRequests('POST', path, held)
    await expireAccessTokens(scene)
    // With a refresh that was under way until now.
    const issued = network.requests('POST', TOKEN_PATH)
    release()

    await waitUntil(
      'all are answered',
      () => {
        const done = network.requests('POST', path).filter(({ status = 401 }) => status < 300)
        return done.length === answered
      },
      60_000,
      () => network.exchanges,
    )
    await expectOneRefresh(scene, issued)
    await ada.signIn()
    await expectSentOnce(scene, page, ...texts('Here'))
    await expectSentOnce({ ...scene, plan: unopened }, page, ...texts('There'))
    const sent = network.requests('POST', path)
    expect(sent.filter(({ upstream }) => upstream === 401).length).toBeGreaterThan(0)
    if (path === UPDATES_PATH) expect(countKeys(sent)).toBe(2 * each)
    for (const [where, of] of [
      [plan, 'Here'],
      [unopened, 'There'],
    ] as const) {
      const written = await Promise.all(texts(of).map((text) => ada.updatesWithText(where, text)))
      const versions = written.map(([update]) => Number(update?.version))
      expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    }
    await card(page, `There ${each}.`).waitFor()
  },
)
