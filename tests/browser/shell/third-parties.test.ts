// Requests to other origins: none by default. Analytics only where configured and with consent, error
// reports only where configured; neither contains user content or names.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseFromMenu,
  chooseSignOut,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  signIn,
} from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { startTelemetryServer, type TelemetryServer } from '../fixtures/telemetry-server.ts'
import { routesFor } from '../fixtures/app-routes.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const routes = (scene: BrowserFixture) => {
  const { out, in: within } = routesFor(scene)
  return [...out, ...within, '/no/such/page']
}

const banner = (page: Page) =>
  page.getByRole('region', { name: 'May we collect usage statistics?' })

/** What an analytics or error-report client has stored in the browser. */
const storedByTelemetry = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) =>
      /ph_|posthog|sentry/i.test(key),
    ),
  )

/** The paths of the page views that arrived. */
const pagesOf = ({ received: told }: TelemetryServer) =>
  told
    .filter((one) => one.includes('$pageview'))
    .map((one) => /"\$current_url":"https?:\/\/[^/"]+([^"]*)"/.exec(one)?.[1])

const waitForPageView = (peer: TelemetryServer, path: string) =>
  waitUntil(`a page view of ${path}`, () => pagesOf(peer).includes(path))

/**
 * Opens and closes a sheet of the page, which then has what asks for consent and reports page views, and has read
 * the configuration.
 */
async function waitForTelemetry(page: Page): Promise<void> {
  await waitUntil('the code and the configuration are there', () =>
    page.evaluate(() => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return ['/telemetry.js', '/config.json'].every((end) =>
        loaded.some((name) => name.endsWith(end)),
      )
    }),
  )
  await page.getByRole('button', { name: /Your menu/ }).click()
  await chooseFromMenu(page, 'This device')
  const sheet = page.getByRole('dialog', { name: 'This device' })
  await sheet.getByText('Stored here').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
}

longTest('pages ask no third party by default and start in a fixed order', async () => {
  const scene = await createBrowserFixture({ newDevice: true })
  const { ada, browser, network, url } = scene
  const page = await browser.open()
  await page.emulateMedia({ colorScheme: 'dark' })
  const open = async (route: string) => {
    await page.goto(url + route)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  for (const route of routes(scene)) await open(route)
  expect(network.requests('GET', /userinfo$/)).toEqual([])
  await signIn(page, url, ada)
  for (const route of routes(scene)) await open(route)
  await page.getByText('/no/such/page').waitFor()
  await page.getByText('404').waitFor()

  // The theme is set before the first paint; the configuration, the user and the organisation are
  // requested once each, in this order.
  const wanted = [
    '/config.json',
    '/api/v1/userinfo',
    `/api/v1/organisations/${scene.organisation.id}`,
  ]
  // Requests of the previous page do not count.
  await page.goto('about:blank')
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (wanted.includes(pathname)) requested.push(pathname)
  })
  await open('/templates')
  await waitUntil('all requests have been made', () =>
    wanted.every((path) => requested.includes(path)),
  )
  await waitForTelemetry(page)
  expect(requested).toEqual(wanted)
  expect(await banner(page).count()).toBe(0)
  expect(network.requests('GET', /\/telemetry\//)).toEqual([])
  const theme = () => page.evaluate(() => document.querySelector('html')?.dataset['theme'])
  expect(await theme()).toBe('dark')
  await page.evaluate(() => localStorage.setItem('theme', 'light'))
  await page.reload({ waitUntil: 'commit' })
  await waitUntil('the theme is set', theme)
  expect(await theme()).toBe('light')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  const [locale] = await waitUntil('the cookie of the locale', async () => {
    const all = await browser.context.cookies()
    const found = all.filter(({ name }) => name === 'i18n_redirected')
    return found.length > 0 && found
  })
  expect(locale).toMatchObject({ value: 'en', path: '/', sameSite: 'Lax' })
  expect(Math.round(((locale?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365)
})

test('analytics starts after consent only, and neither it nor error reports contain user input', async () => {
  const [posthog, sentry] = [await startTelemetryServer(), await startTelemetryServer()]
  const scene = await createBrowserFixture({
    origins: [posthog.origin, sentry.origin],
    env: {
      POSTHOG_PUBLIC_KEY: 'phc_test',
      POSTHOG_HOST: posthog.origin,
      SENTRY_DSN: sentry.origin.replace('http://', 'http://publickey@') + '/42',
      SENTRY_ORG: 'ridge',
      SENTRY_PROJECT_ID: '42',
      ENVIRONMENT: 'testing',
    },
  })
  const { ada, browser, pageErrors: complaints, plan, unopened, url } = scene
  const page = await browser.open()
  await signIn(page, url, ada)
  await banner(page).waitFor()
  await openPlan(page, plan)
  expect([...posthog.received, ...sentry.received]).toEqual([])
  expect(scene.network.requests('GET', /\/telemetry\//)).toEqual([])

  // Both answers look alike and take the same steps.
  expect(await axeViolationsOf(page, 'the question')).toEqual([])
  const [decline, accept] = await banner(page).getByRole('button').all()
  expect(await decline?.getAttribute('class')).toBe(await accept?.getAttribute('class'))
  await accept?.press('Enter')
  await banner(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await waitForPageView(posthog, `/success-plans/${plan.id}`)
  const cookies = await browser.context.cookies()
  const choice = cookies.find(({ name }) => name === 'analytics_consent')
  expect(choice).toMatchObject({ value: 'yes', path: '/', sameSite: 'Lax', secure: false })
  expect(Math.round(((choice?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(180)

  await page.goBack()
  await page.getByRole('searchbox').first().fill('roll out')
  await planRow(page, plan).waitFor({ state: 'detached' })
  await planRow(page, unopened).click()
  await waitForPageView(posthog, `/success-plans/${unopened.id}`)
  await page.goto(`${url}/success-plans?search=roll+out&view=mine#reset_token=not-for-others`)
  await waitForPageView(posthog, '/success-plans?view=mine')
  await waitUntil('the page speed is reported', () =>
    posthog.received.some((one) => one.includes('_LCP_value')),
  )
  expect((await storedByTelemetry(page)).length).toBeGreaterThan(0)

  // The error is reported without its content.
  await page.evaluate(({ email, name }) => {
    setTimeout(() => {
      throw new TypeError(`It broke for ${name}, ${email}, "All fifteen sites", Bearer xyzzy`)
    })
  }, ada)
  await waitUntil('an error report arrives', () =>
    sentry.received.some((one) => one.includes('TypeError')),
  )
  expect(complaints.splice(0)).toEqual([expect.stringContaining('It broke')])
  const report = sentry.received.join('\n')
  expect(report).toContain('It broke for [name], [email] [quoted], [token]')
  for (const part of ['"environment":"testing"', '"release":"cairn@', '"project":"42"'])
    expect(report).toContain(part)
  expect(report).not.toContain('"release":"cairn@development"')
  expect(report).not.toContain('breadcrumbs')

  // The user changes the consent twice.
  const inProfile = async () => {
    await page.getByRole('button', { name: 'This device' }).click()
    return page.getByRole('switch', { name: 'Share usage statistics' })
  }
  const device = async () => {
    await page.goto(`${url}/settings/profile`)
    return await inProfile()
  }
  await (await device()).click()
  await waitUntil(
    'the client has removed its storage',
    async () => (await storedByTelemetry(page)).length === 0,
  )
  const soFar = posthog.received.length
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await page.goto(`${url}/templates`)
  await waitForTelemetry(page)
  // Without a load, so that a report of the page before would be sent ahead of the next one.
  await page.getByRole('button', { name: /Your menu/ }).click()
  await chooseFromMenu(page, 'Settings')
  await page.getByRole('link', { name: 'Profile' }).click()
  await (await inProfile()).click()
  await waitUntil(
    'the client has stored something',
    async () => (await storedByTelemetry(page)).length > 0,
  )
  await waitUntil('the page view is reported', () =>
    posthog.received.slice(soFar).some((one) => one.includes('/settings/profile')),
  )
  expect(posthog.received.slice(soFar).filter((one) => one.includes('/templates'))).toEqual([])
  await page.keyboard.press('Escape')

  // A sign-out removes everything of it.
  await chooseSignOut(page)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await waitUntil(
    'the client has removed its storage',
    async () => (await storedByTelemetry(page)).length === 0,
  )
  await waitForPageView(posthog, '/auth')
  expect(await storedByTelemetry(page)).toEqual([])

  // Nothing so short that it could be a part of an id.
  const words = [
    'roll out',
    'roll+out',
    'harbour',
    'not-for-others',
    'xyzzy',
    'fifteen',
    plan.title,
  ].concat([ada.name, ada.email, unopened.title, scene.organisation.name, scene.account.name])
  const sentText = [...posthog.received, ...sentry.received].join('\n').toLowerCase()
  expect(words.filter((word) => sentText.includes(word.toLowerCase()))).toEqual([])

  // Users without consent are not counted; and the app works when the third party is down.
  await browser.context.clearCookies({ name: 'analytics_consent' })
  await page.reload()
  // How fast the page was that is left is sent as it goes, with the consent it had, and may arrive later.
  const told = () => posthog.received.filter((one) => !/_(?:LCP|INP|CLS)_value/.test(one)).length
  const counted = told()
  await banner(page).getByRole('button', { name: 'Decline' }).click()
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await page.reload()
  await planRow(page, plan).waitFor()
  await waitForTelemetry(page)
  expect(await banner(page).count()).toBe(0)
  expect(told()).toBe(counted)
  await posthog.stop()
  await sentry.stop()
  await (await device()).click()
  await page.keyboard.press('Escape')
  await page.goto(`${url}/success-plans`)
  await openPlan(page, plan)
})
