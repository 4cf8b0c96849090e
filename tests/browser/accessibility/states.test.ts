// Every route while loading, when the server fails, and without a network: no violation found by axe, in
// light and dark, on a phone and on a desktop; outside of a long run some routes, each in one of these four.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fillSignIn, openPlans, pickOrganisation } from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { routesFor } from '../fixtures/app-routes.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { sampleOf } from '../../sample.ts'
import { longTest } from '../../long-test.ts'

/** Routes in each state outside of a long run. */
const SAMPLE = 6

const READS = { method: 'GET', path: /^\/api\/v1\// }
const JSON_TYPE = { 'content-type': 'application/json' }
const FAILS = {
  kind: 'answered',
  status: 500,
  headers: JSON_TYPE,
  body: '{"message":"Server error."}',
} as const

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first()
const loading = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Loading/ })
    .first()

/** The violations of routes in their present state. */
async function faultsOfRoutes(
  page: Page,
  paths: readonly string[],
  url: string,
  state: string,
  isThere: () => Promise<unknown>,
): Promise<string[]> {
  const faults: string[] = []
  for (const path of sampleOf(paths, SAMPLE, state)) {
    await page.goto(url + path)
    await heading(page).waitFor()
    await isThere()
    faults.push(...(await axeViolationsOf(page, `${path}, ${state}`)))
  }
  return faults
}

longTest('no route has an axe violation while it loads or when the server fails', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, url } = scene
  const page = await browser.open(url)
  await fillSignIn(page, ada)
  await page.getByRole('list', { name: 'Your organisations' }).waitFor()
  const release = network.hold(READS)
  await pickOrganisation(page)
  const paths = routesFor(scene).in
  const faults = await faultsOfRoutes(page, paths, url, 'loading', () => Promise.resolve())
  release()
  const recover = network.injectFault(READS, FAILS)
  faults.push(
    ...(await faultsOfRoutes(page, paths, url, 'failed', () =>
      loading(page).waitFor({ state: 'detached' }),
    )),
  )
  recover()
  expect(faults).toEqual([])
})

test('no route has an axe violation without a network', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { network, url } = scene
  const page = await openPlans(scene)
  await network.goDown()
  const faults = await faultsOfRoutes(page, routesFor(scene).in, url, 'offline', () =>
    loading(page).waitFor({ state: 'detached' }),
  )
  expect(faults).toEqual([])
})
