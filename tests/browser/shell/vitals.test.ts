// How fast the app is where people use it: measured with consent only, for a server that counts it, without
// ids and tokens.
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cardIn, openPlan, openPlans, planRow, post, waitForSent, SAVED } from '../fixtures/app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import type { FaultProxy } from '../fixtures/fault-proxy.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { signedIn } from '../plain/signed-in.ts'
import { longTest } from '../../long-test.ts'

const VITALS = /\/vitals$/

/** What the server has counted, by name and page. */
async function countsOf({ server }: BrowserFixture): Promise<Map<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const counts = text.matchAll(/^cairn_field_(\w+)_count(?:\{page="(.*)"\})? (\d+)$/gm)
  return new Map(
    [...counts].map(([, name = '', page, count]) => [
      page === undefined ? name : `${name} ${page}`,
      Number(count),
    ]),
  )
}

/** Whether the code that measures has been loaded by the page. */
const isMeasuring = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/telemetry/')),
  )

/** Records what the pages report, also while they are left. */
const recordReports = (context: BrowserContext) =>
  context.addInitScript(() => {
    const fetch = window.fetch.bind(window)
    window.fetch = (input, options) => {
      if (typeof input === 'string' && input.endsWith('/vitals'))
        localStorage.setItem(`report ${performance.timeOrigin}`, JSON.stringify(options))
      return fetch(input, options)
    }
  })

const reportsOf = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([name]) => name.startsWith('report '))
      .map(([, options]) => JSON.parse(String(options)) as RequestInit),
  )

const waitForArrivals = (network: FaultProxy, count: number) =>
  waitUntil(
    `${count} updates have arrived`,
    () =>
      network.requests('POST', /updates$/).filter(({ status }) => status === 201).length >= count,
  )

const agree = (context: BrowserContext, url: string) =>
  context.addCookies([{ name: 'analytics_consent', value: 'yes', url }])

longTest('with consent, what was measured is in the metrics once the page is left', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, network, plan, url } = scene
  await recordReports(browser.context)
  const page = await openPlans(scene)
  await page.goto(`${url}/settings/profile`)
  await page.getByRole('button', { name: 'This device' }).click()
  await page.getByRole('switch', { name: 'Share usage statistics' }).click()
  await waitUntil('the measuring has begun', () => isMeasuring(page))
  expect(network.requests('POST', VITALS)).toEqual([])

  await page.goto(`${url}/success-plans`)
  await planRow(page, plan).waitFor()
  await waitUntil('the measuring has begun', () => isMeasuring(page))
  // A click before the page is idle may be older than the note that its rows are shown.
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
  await openPlan(page, plan)
  await post(page, 'They signed.')
  await waitForArrivals(network, 1)
  await waitForSent(page)
  await browser.context.setOffline(true)
  await post(page, 'Written in a tunnel.')
  await cardIn(page, 'Written in a tunnel.', SAVED).waitFor()
  await waitUntil('the app is offline', () => page.getByText('Offline').first().isVisible())
  await browser.context.setOffline(false)
  await waitForArrivals(network, 2)
  await waitForSent(page)
  const before = network.requests('POST', VITALS).length
  await page.goto('about:blank')
  await waitUntil('the report has arrived', () => {
    const sent = network.requests('POST', VITALS)
    return sent.length > before && sent.every(({ upstream }) => upstream === 204)
  })
  const counts = await countsOf(scene)
  const ofPlans = (name: string) =>
    [...counts.keys()].filter((key) => key.startsWith(`${name} /success-plans`)).length
  expect(counts.get('lcp_seconds /success-plans')).toBe(1)
  expect([ofPlans('lcp_seconds'), ofPlans('inp_seconds'), ofPlans('cls')]).toEqual([1, 1, 1])
  expect(counts.get('start_to_rows_seconds')).toBe(1)
  expect(counts.get('post_to_saved_seconds')).toBe(2)
  expect(counts.get('reconnect_to_sent_seconds')).toBe(1)

  await page.goto(`${url}/success-plans`)
  const reports = await reportsOf(page)
  expect(reports.length).toBeGreaterThan(0)
  for (const { body, ...options } of reports) {
    expect(options).toEqual({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      credentials: 'omit',
      keepalive: true,
    })
    for (const part of [plan.id, ada.name, scene.organisation.id, 'signed', 'tunnel'])
      expect(body).not.toContain(part)
  }
})

test('without consent nothing is measured or sent', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await openPlan(page, scene.plan)
  await page.goto('about:blank')
  await page.goto(`${scene.url}/accounts`)
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  expect(await isMeasuring(page)).toBe(false)
  expect(scene.network.requests('POST', VITALS)).toEqual([])
  expect(scene.network.requests('GET', /\/telemetry\//)).toEqual([])
})

longTest('a server that does not announce it gets no measurement, with consent', async () => {
  const { api, page } = await signedIn({})
  const { origin } = new URL(page.url())
  await agree(page.context(), origin)
  await page.reload()
  await page.getByText('Plan 1', { exact: true }).first().click()
  await page.getByRole('heading', { name: 'Plan 1', level: 1 }).waitFor()
  await page.goto('about:blank')
  await page.goto(`${origin}/success-plans`)
  await page.getByText('Plan 1', { exact: true }).first().waitFor()
  expect(await isMeasuring(page)).toBe(false)
  expect(api.requests.filter(({ path }) => VITALS.test(path))).toEqual([])
})
