// Whom pages ask besides their own server: nobody. Analytics only where it is configured and somebody
// agreed, error reports only where they are configured; neither is told what anybody wrote or is called.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { askToSignOut, fillSignIn, openPlan, pickOrganisation, planRow, signIn } from './app.ts'
import { faultsOf } from './faults-of.ts'
import { startPeer, type Peer } from './peer.ts'
import { routesOf } from './routes-of.ts'
import { setScene, type Scene } from './scene.ts'
import { until } from './until.ts'

const routes = (scene: Scene) => {
  const { out, in: within } = routesOf(scene)
  return [...out, ...within, '/no/such/page']
}

const banner = (page: Page) => page.getByRole('region', { name: 'May we count how Cairn is used?' })

/** What a client of analytics or of error reports has left in the browser. */
const kept = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) =>
      /ph_|posthog|sentry/i.test(key),
    ),
  )

/** The paths of the page views that arrived. */
const pagesOf = ({ told }: Peer) =>
  told
    .filter((one) => one.includes('$pageview'))
    .map((one) => /"\$current_url":"https?:\/\/[^/"]+([^"]*)"/.exec(one)?.[1])

const tellsOf = (peer: Peer, path: string) =>
  until(`a page view of ${path}`, () => pagesOf(peer).includes(path))

test('a page asks somebody else though nothing is configured, or starts in another order', async () => {
  const scene = await setScene()
  const { ada, browser, network, url } = scene
  const page = await browser.open()
  await page.emulateMedia({ colorScheme: 'dark' })
  const open = async (route: string) => {
    await page.goto(url + route)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  for (const route of routes(scene)) await open(route)
  expect(network.seen('GET', /userinfo$/)).toEqual([])
  await signIn(page, url, ada)
  for (const route of routes(scene)) await open(route)
  await page.getByText('/no/such/page').waitFor()
  await page.getByText('404').waitFor()
  expect(await banner(page).count()).toBe(0)
  expect(network.seen('GET', /\/telemetry\//)).toEqual([])

  // The theme stands before anything is painted; the configuration, the user and the organisation are
  // asked for once each, in this order.
  const wanted = [
    '/config.json',
    '/api/v1/userinfo',
    `/api/v1/organisations/${scene.organisation.id}`,
  ]
  // What the page before still asks for is not meant.
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (wanted.includes(pathname)) asked.push(pathname)
  })
  await open('/templates')
  await until('all is asked for', () => wanted.every((path) => asked.includes(path)))
  expect(asked).toEqual(wanted)
  const theme = () => page.evaluate(() => document.querySelector('html')?.dataset['theme'])
  expect(await theme()).toBe('dark')
  await page.evaluate(() => localStorage.setItem('theme', 'light'))
  await page.reload({ waitUntil: 'commit' })
  await until('the theme stands', theme)
  expect(await theme()).toBe('light')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  const [locale] = await until('the cookie of the locale', async () => {
    const all = await browser.context.cookies()
    const found = all.filter(({ name }) => name === 'i18n_redirected')
    return found.length > 0 && found
  })
  expect(locale).toMatchObject({ value: 'en', path: '/', sameSite: 'Lax' })
  expect(Math.round(((locale?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(365)
})

test('somebody is counted who did not agree, or told of by more than a path', async () => {
  const [posthog, sentry] = [await startPeer(), await startPeer()]
  const scene = await setScene({
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
  const { ada, browser, complaints, plan, unopened, url } = scene
  const page = await browser.open()
  await signIn(page, url, ada)
  await banner(page).waitFor()
  await openPlan(page, plan)
  expect([...posthog.told, ...sentry.told]).toEqual([])
  expect(scene.network.seen('GET', /\/telemetry\//)).toEqual([])

  // The same look and the same way to both answers.
  expect(await faultsOf(page, 'the question')).toEqual([])
  const [decline, accept] = await banner(page).getByRole('button').all()
  expect(await decline?.getAttribute('class')).toBe(await accept?.getAttribute('class'))
  await accept?.press('Enter')
  await banner(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await tellsOf(posthog, `/success-plans/${plan.id}`)
  const cookies = await browser.context.cookies()
  const choice = cookies.find(({ name }) => name === 'analytics_consent')
  expect(choice).toMatchObject({ value: 'yes', path: '/', sameSite: 'Lax', secure: false })
  expect(Math.round(((choice?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(180)

  await page.goBack()
  await page.getByRole('searchbox').first().fill('roll out')
  await planRow(page, plan).waitFor({ state: 'detached' })
  await planRow(page, unopened).click()
  await tellsOf(posthog, `/success-plans/${unopened.id}`)
  await page.goto(`${url}/success-plans?search=roll+out&view=mine#reset_token=not-for-others`)
  await tellsOf(posthog, '/success-plans?view=mine')
  await until('how fast the page was', () => posthog.told.some((one) => one.includes('_LCP_value')))
  expect((await kept(page)).length).toBeGreaterThan(0)

  // An error is told of, without what stands in it.
  await page.evaluate(({ email, name }) => {
    setTimeout(() => {
      throw new TypeError(`It broke for ${name}, ${email}, "All fifteen sites", Bearer xyzzy`)
    })
  }, ada)
  await until('a report', () => sentry.told.some((one) => one.includes('TypeError')))
  expect(complaints.splice(0)).toEqual([expect.stringContaining('It broke')])
  const report = sentry.told.join('\n')
  expect(report).toContain('It broke for [name], [email] [quoted], [token]')
  for (const part of ['"environment":"testing"', '"release":"cairn@', '"project":"42"'])
    expect(report).toContain(part)
  expect(report).not.toContain('breadcrumbs')

  // Somebody changes their mind, twice.
  const device = async () => {
    await page.goto(`${url}/settings/profile`)
    await page.getByRole('button', { name: 'This device' }).click()
    return page.getByRole('switch', { name: 'Count what is opened' })
  }
  await (await device()).click()
  await until('the client forgets', async () => (await kept(page)).length === 0)
  const soFar = posthog.told.length
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await page.goto(`${url}/templates`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await (await device()).click()
  await until('the client is back', async () => (await kept(page)).length > 0)
  await until('it is told of', () =>
    posthog.told.slice(soFar).some((one) => one.includes('/settings/profile')),
  )
  expect(posthog.told.slice(soFar).filter((one) => one.includes('/templates'))).toEqual([])
  await page.keyboard.press('Escape')

  // Nothing of it stays when somebody leaves.
  await askToSignOut(page)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await until('the client forgets', async () => (await kept(page)).length === 0)
  await tellsOf(posthog, '/auth')
  expect(await kept(page)).toEqual([])

  // Nothing as short as could be a part of an id.
  const words = [
    'roll out',
    'roll+out',
    'harbour',
    'not-for-others',
    'xyzzy',
    'fifteen',
    plan.title,
  ].concat([ada.name, ada.email, unopened.title, scene.organisation.name, scene.account.name])
  const told = [...posthog.told, ...sentry.told].join('\n').toLowerCase()
  expect(words.filter((word) => told.includes(word.toLowerCase()))).toEqual([])

  // Who says no is not counted; and where nobody listens the app works all the same.
  await browser.context.clearCookies({ name: 'analytics_consent' })
  await page.reload()
  const counted = posthog.told.length
  await banner(page).getByRole('button', { name: 'Decline' }).click()
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await page.reload()
  await planRow(page, plan).waitFor()
  expect(await banner(page).count()).toBe(0)
  expect(posthog.told.length).toBe(counted)
  await posthog.goAway()
  await sentry.goAway()
  await (await device()).click()
  await page.keyboard.press('Escape')
  await page.goto(`${url}/success-plans`)
  await openPlan(page, plan)
})
