// The headers and half of the body of a response arrive: an incomplete response does not count.
import { expect, test } from 'vitest'
import {
  card,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  waitForOfflineReady,
} from '../fixtures/app.ts'
import {
  expectSentOnce,
  openPlanFixture,
  countKeys,
  TOKEN_PATH,
  UPDATES_PATH,
} from '../fixtures/open-plan-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const CUT = { kind: 'cut' } as const
const TEXT = 'Cut off in mid-sentence.'

test('an update whose response is cut is retried with the same key and stored once', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  network.injectFault({ method: 'POST', path: UPDATES_PATH }, CUT, 2)
  await post(page, TEXT)
  const sent = await network.waitForRequests('POST', UPDATES_PATH, 3)
  await expectSentOnce(scene, page, TEXT)
  expect(sent.map(({ upstream }) => upstream)).toEqual([201, 201, 201])
  expect(sent.map(({ replayed }) => replayed)).toEqual([false, true, true])
  expect(countKeys(sent)).toBe(1)
  expect(await card(page, TEXT).count()).toBe(1)
})

longTest('a cut response is not used: sign-in and the first download are retried', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, unopened, url } = scene
  const page = await browser.open(url)
  network.injectFault({ path: TOKEN_PATH }, CUT, 1)
  network.injectFault({ path: /\/changes/ }, CUT, 2)
  await fillSignIn(page, ada)
  await page.getByText('The server did not answer. What you typed is still here').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  const downloads = () => network.requests('GET', /\/changes/).map(({ status }) => status)
  // An event may have caused another one, which is still in flight.
  await waitUntil('all later downloads are answered', () =>
    downloads()
      .slice(2)
      .every((status) => status !== undefined),
  )
  const [first, second, ...later] = downloads()
  expect([first, second, ...new Set(later)]).toEqual([undefined, undefined, 200])

  // The whole organisation is there, not only the half that arrived first.
  await network.goDown()
  await planRow(page, scene.plan).waitFor()
  await openPlan(page, unopened)
  await page.getByText(HISTORY.unopened).waitFor()
})
