// Many updates were posted offline, and the access token expires while they are sent: one refresh, and
// all of them arrive, once and in order.
import { expect, test } from 'vitest'
import { card, cardIn, composer, post, SAVED } from '../fixtures/app.ts'
import {
  expectSentOnce,
  openPlanFixture,
  countKeys,
  TOKEN_PATH,
  UPDATES_PATH,
  accessTokenExpires,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const LIFETIME = 10
const SAID = [1, 2, 3, 4, 5, 6]

test('a token that expires between two lanes is refreshed once, and each update is sent once, in order', async () => {
  const scene = await openPlanFixture({ accessTokenSeconds: LIFETIME })
  const { ada, browser, network, page, plan, unopened, url } = scene
  await browser.context.setOffline(true)
  const texts = (of: string) => SAID.map((number) => `${of} ${number}.`)
  for (const text of texts('Here')) await post(page, text)
  await cardIn(page, 'Here 6.', SAVED).waitFor()
  await page.goto(`${url}/success-plans/${unopened.id}`)
  await composer(page).waitFor()
  for (const text of texts('There')) await post(page, text)
  await cardIn(page, 'There 6.', SAVED).waitFor()

  const release = network.hold({ method: 'POST', path: UPDATES_PATH, after: 4 })
  await browser.context.setOffline(false)
  await network.waitForRequests('POST', UPDATES_PATH, 6)
  const issued = network.requests('POST', TOKEN_PATH)
  await accessTokenExpires(scene, LIFETIME)
  release()

  await waitUntil(
    'all are answered',
    () => {
      const done = network.requests('POST', UPDATES_PATH).filter(({ status }) => status === 201)
      return done.length === 2 * SAID.length
    },
    60_000,
    () => network.exchanges,
  )
  // Read at once, because the new one expires as well.
  const refreshes = network.requests('POST', TOKEN_PATH).slice(issued.length)
  expect(refreshes.map(({ status }) => status)).toEqual([200])
  await ada.signIn()
  await expectSentOnce(scene, page, ...texts('Here'))
  await expectSentOnce({ ...scene, plan: unopened }, page, ...texts('There'))
  const sent = network.requests('POST', UPDATES_PATH)
  const refused = sent.slice(4).filter(({ upstream }) => upstream === 401)
  expect(refused.length).toBeGreaterThan(0)
  expect(countKeys(sent)).toBe(12)
  for (const [where, of] of [
    [plan, 'Here'],
    [unopened, 'There'],
  ] as const) {
    const written = await Promise.all(texts(of).map((text) => ada.updatesWithText(where, text)))
    const versions = written.map(([update]) => Number(update?.version))
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
  await card(page, 'There 6.').waitFor()
})
