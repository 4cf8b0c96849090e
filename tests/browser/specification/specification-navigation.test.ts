// The specification's routes, root layout, success-plans list and error page, sentence by sentence.
import { format, parseISO } from 'date-fns'
import type { Page, Response } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPlans, planRow, waitForOfflineReady } from '../fixtures/app.ts'
import { startTelemetryServer } from '../fixtures/telemetry-server.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { corruptRecord } from '../fixtures/corrupt-record.ts'
import {
  arrives,
  heading,
  navigateWithin,
  openPalette,
  palette,
  paletteLine,
  shareScene,
  tagColours,
} from './specification-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const scene = shareScene()

/** Each row of the table, with the heading of its screen. */
const ROUTES: readonly [row: string, heading: RegExp][] = [
  ['| / (index) | default | none |', /^What needs you/],
  ['| /auth (name auth, login) | empty | none |', /^Sign in$/],
  ['| /auth/registration | empty | none |', /^Create your account$/],
  ['| /onboarding | empty | none |', /./],
  ['| /organisations (organisation picker) | empty | none |', /^Choose an organisation$/],
  ['| /accounts | default | none |', /^Accounts$/],
  ['| /accounts/{id} | default | none |', /^Northwind Harbour$/],
  ['| /initiatives | default | none |', /^Initiatives$/],
  ['| /success-plans (name success-plans) | default | none |', /^Success plans$/],
  ['| /success-plans/new (success-plans-new) | default | none |', /^New success plan$/],
  ['| /success-plans/{id} (success-plans-id) | default | none |', /^Launch the analytics/],
  ['| /templates | default | none |', /^Templates$/],
  ['| /settings/profile | settings | none |', /^Profile$/],
  ['| /settings/notifications | settings | none |', /^Notifications$/],
  ['| /settings/organisation/general | settings | none |', /^General$/],
  ['| /settings/organisation/members | settings | none |', /^Members$/],
  ['| /settings/organisation/billing | settings | owner only |', /^Billing$/],
  ['| /settings/organisation/plans | settings | owner only |', /^Pricing$/],
]

/** The layout of the screen that is open, by the navigations that it has. */
async function layoutOf(page: Page): Promise<string> {
  const shown = async (name: string) =>
    (await page.getByRole('navigation', { name, exact: true }).count()) > 0
  if (await shown('Settings')) return 'settings'
  return (await shown('Main')) ? 'default' : 'empty'
}

describe('| Route | Layout | Guard |', () => {
  test.for(ROUTES)('%s', async ([row, name]) => {
    const { account, browser, plan, url, visitor } = scene()
    const [, route = '', layout] = row.split('|').map((cell) => cell.trim())
    const [path = ''] = route.split(' ')
    const id = path.startsWith('/accounts') ? account.id : plan.id
    const page = path.startsWith('/auth') ? await visitor() : await browser.open()
    await page.goto(url + path.replace('{id}', id))
    await heading(page, name).waitFor()
    expect(new URL(page.url()).pathname).toBe(path.replace('{id}', id))
    expect(await layoutOf(page)).toBe(layout)
    await page.close()
  })

  test('Pages load lazily.', async () => {
    const page = await scene().visitor()
    const scripts: Response[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response)
    })
    await page.goto(`${scene().url}/auth`)
    await heading(page, 'Sign in').waitFor()
    // Also what is loaded after the first paint.
    await page.waitForLoadState('networkidle')
    const words = async () => (await Promise.all(scripts.map((one) => one.text()))).join('\n')
    expect((await words()).includes('Forgotten your password?')).toBe(true)
    for (const other of ['Create your account', 'Choose an organisation'])
      expect((await words()).includes(other), other).toBe(false)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create your account').waitFor()
    expect((await words()).includes('Create your account')).toBe(true)
  })
})

describe('Root layout', () => {
  test('the page area, a global command palette', async () => {
    const { browser, url, visitor } = scene()
    for (const [page, path] of [
      [await visitor(), '/auth'],
      [await browser.open(), '/accounts'],
      [await browser.open(), '/settings/profile'],
    ] as const) {
      await page.goto(url + path)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await openPalette(page)
      expect(await palette(page).count()).toBe(1)
    }
  })

  test('a toast area at the bottom-right', async () => {
    const { browser, plan, url } = scene()
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await browser.open(`${url}/success-plans/${plan.id}`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await heading(page, plan.title).waitFor()
    await openPalette(page)
    await paletteLine(page).fill('copy link')
    await page.keyboard.press('Enter')
    const toast = page.getByRole('region', { name: 'Notifications' }).getByText('Link copied')
    await toast.waitFor()
    const area = await page.getByRole('region', { name: 'Notifications' }).boundingBox()
    const { x = 0, y = 0 } = (await toast.boundingBox()) ?? {}
    expect(x).toBeGreaterThan(1280 / 2)
    expect(y).toBeGreaterThan(800 / 2)
    const { right, bottom } = {
      right: 1280 - (area?.x ?? 0) - (area?.width ?? 0),
      bottom: 800 - (area?.y ?? 0) - (area?.height ?? 0),
    }
    // A margin of up to 2 rem.
    expect([right <= 32, bottom <= 32]).toEqual([true, true])
  })
})

describe('Page views', () => {
  test('After every navigation a page-view event with the full path is recorded, if analytics is enabled.', async () => {
    const analytics = await startTelemetryServer()
    const other = await createBrowserFixture({
      usedBefore: true,
      origins: [analytics.origin],
      env: { POSTHOG_PUBLIC_KEY: 'phc_test', POSTHOG_HOST: analytics.origin },
    })
    const page = await openPlans(other)
    const views = () =>
      analytics.received
        .filter((one) => one.includes('$pageview'))
        .map((one) => /"\$current_url":"https?:\/\/[^/"]+([^"]*)"/.exec(one)?.[1])
    await page.getByRole('region', { name: /May we collect/ }).waitFor()
    // Without the consent cookie the client is not even loaded.
    expect([views(), other.network.requests('GET', /telemetry/)]).toEqual([[], []])
    await other.browser.context.addCookies([
      { name: 'analytics_consent', value: 'yes', url: other.url },
    ])
    await page.reload()
    const paths = ['/success-plans', `/success-plans/${other.plan.id}`, '/accounts']
    for (const [index, path] of paths.entries()) {
      if (index > 0) await navigateWithin(page, path)
      await waitUntil(`a page view of ${path}`, () => views().length === index + 1)
    }
    expect(views()).toEqual(paths)
  })
})

describe('Success-plans list', () => {
  test('each plan shows as a link to its detail page, with status tag, end date (shown as ‘MMM d’) and progress as a percentage', async () => {
    const { browser, plan, url } = scene()
    const page = await browser.open(`${url}/success-plans`)
    const row = planRow(page, plan)
    await row.waitFor()
    expect(await row.getAttribute('href')).toBe(`/success-plans/${plan.id}`)
    const texts = await row.evaluate((element) =>
      [...(element.closest('[data-row]')?.querySelectorAll('*') ?? [])].map(
        (one) => one.textContent,
      ),
    )
    expect(texts).toContain('in progress')
    expect(texts).toContain(format(parseISO(plan.end_date ?? ''), 'MMM d'))
    expect(texts).toContain('20%')
    await row.click()
    await arrives(page, `/success-plans/${plan.id}`)
  })
})

describe('Success plan status', () => {
  const SEVERITIES = [
    ['planned', 'secondary'],
    ['in-progress', 'info'],
    ['paused', 'warn'],
    ['completed', 'success'],
    ['cancelled', 'danger'],
  ] as const
  const seen = new Set<string>()

  test.for(SEVERITIES)(
    'Tag colours: %s is %s. The label shows the status with hyphens replaced by spaces.',
    async ([status, severity]) => {
      const { ada, browser, url } = scene()
      const plan = await ada.createPlan({ title: `A plan: ${status}`, type: 'project' })
      const body = { status, note: 'For the test.', outcome: 'achieved' }
      if (status !== 'planned')
        await ada.call('PATCH', `/api/v1/success-plans/${plan.id}`, { status: 'in-progress' })
      if (!/planned|in-progress/.test(status))
        await ada.call('PATCH', `/api/v1/success-plans/${plan.id}`, body)
      const page = await browser.open(`${url}/success-plans/${plan.id}`)
      await heading(page, plan.title).waitFor()
      const tag = page.getByRole('main').getByText(status.replaceAll('-', ' '), { exact: true })
      const { found, wanted } = await tagColours(tag.first(), severity)
      expect(found).toBe(wanted)
      expect(seen.has(found)).toBe(false)
      seen.add(found)
      await page.close()
    },
  )
})

describe('Error page', () => {
  test('An unmatched page shows Page Not Found with the full path. 404 has its own view.', async () => {
    const { browser, url } = scene()
    const page = await browser.open(`${url}/no/such/page?of=mine#here`)
    await heading(page, 'Page Not Found').waitFor()
    await page.getByText('404', { exact: true }).waitFor()
    await page.getByText('/no/such/page?of=mine#here', { exact: true }).waitFor()
  })

  test('shows the status code (default 500), a status message (… otherwise ‘Internal Server Error’) and the error message', async () => {
    const { member, plan, url } = scene()
    const page = await member()
    await page.goto(`${url}/success-plans/${plan.id}`)
    await heading(page, plan.title).waitFor()
    await waitForOfflineReady(page)
    await corruptRecord(page, plan.id)
    await page.reload()
    await heading(page, 'Internal Server Error').waitFor()
    await page.getByText('500', { exact: true }).waitFor()
    await page.getByText(/^Minified React error /).waitFor()
  })
})
