// The specification's navigation guards, roles and redirect rules, sentence by sentence.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../../sample.ts'
import { fillSignIn } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import type { ApiUser } from '../fixtures/api-user.ts'
import { routesFor } from '../fixtures/app-routes.ts'
import {
  arrives,
  heading,
  navigateWithin,
  openPalette,
  paletteOptions,
  shareScene,
} from './specification-fixture.ts'

const OWNER_ONLY = ['/settings/organisation/billing', '/settings/organisation/plans']

const site = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html')
  response.end('<h1>Another site</h1>')
}).listen(0, '127.0.0.1')
await once(site, 'listening')
const elsewhere = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
afterAll(() => {
  site.close()
  site.closeAllConnections()
})

const RULES = [
  { from: '/customers', to: '/accounts?from=rule' },
  { from: '/help', to: `${elsewhere}/start`, external: true },
]
const scene = shareScene(() => ({
  env: { REDIRECTS: JSON.stringify(RULES) },
  origins: [elsewhere],
}))

/** The path that the visitor ends up at for each of those paths. */
async function whereTo(page: Page, paths: readonly string[]): Promise<string[]> {
  const places: string[] = []
  for (const path of paths) {
    await page.goto(scene().url + path)
    await heading(page).waitFor()
    places.push(new URL(page.url()).pathname)
  }
  return places
}

/** Routes of the specification that a guard keeps, all of them in a long run. */
const guardedBut = (...open: string[]) =>
  sampleOf(
    routesFor(scene()).in.filter((path) => !open.includes(path)),
    7,
    'guarded',
  )

/** The same place for each of them. */
const all = (paths: readonly string[], place: string) => paths.map(() => place)

describe('Navigation guards, in order', () => {
  test('A visitor with no access token whose path does not contain ‘auth’ or ‘onboarding’ is sent to the auth page.', async () => {
    const page = await scene().visitor()
    const guarded = guardedBut('/onboarding')
    expect(await whereTo(page, guarded)).toEqual(all(guarded, '/auth'))
    const open = ['/auth', '/auth/registration', '/onboarding', '/my-onboarding-notes', '/authors']
    expect(await whereTo(page, open)).toEqual(open)
    // The screen says what it needs.
    await page.goto(`${scene().url}/onboarding`)
    await page.getByText('Sign in or register first').waitFor()
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Sign in').waitFor()
    expect(page.url()).toBe(`${scene().url}/auth?redirect=%2Fonboarding`)
  })

  test('A page of a record whose id has such a word needs a user and an organisation all the same.', async () => {
    const { ada, url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/success-plans/authors-guild?show=initiatives`)
    await arrives(page, '/auth')
    await fillSignIn(page, ada)
    await arrives(page, '/organisations')
    await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
    await heading(page, 'This plan does not exist').waitFor()
    expect(page.url()).toBe(`${url}/success-plans/authors-guild?show=initiatives`)
  })

  test('A user who is signed in is led on from the auth page.', async () => {
    const { browser, url } = scene()
    const page = await browser.open(`${url}/auth?redirect=%2Faccounts`)
    await heading(page, 'Accounts').waitFor()
    expect(page.url()).toBe(`${url}/accounts`)
  })

  test('A path that contains none of ‘auth’, ‘onboarding’ and ‘organisations’, with no active organisation, is sent to the organisations page.', async () => {
    const { ada, url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/auth`)
    await fillSignIn(page, ada)
    await arrives(page, '/organisations')
    const open = ['/onboarding', '/organisations', '/my-organisations']
    const guarded = guardedBut(...open)
    expect(await whereTo(page, guarded)).toEqual(all(guarded, '/organisations'))
    expect(await whereTo(page, open)).toEqual(open)
    // Before the rules of the server.
    expect(await whereTo(page, ['/customers', '/help'])).toEqual(
      all(
        RULES.map(({ from }) => from),
        '/organisations',
      ),
    )
  })

  test('If a server-side redirect rule exists for the path, it is applied.', async () => {
    const { browser, url, visitor } = scene()
    const page = await browser.open(`${url}/templates`)
    await heading(page, 'Templates').waitFor()
    await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
    await navigateWithin(page, '/customers')
    await heading(page, 'Accounts').waitFor()
    expect(page.url()).toBe(`${url}/accounts?from=rule`)
    expect(await page.locator('body[data-same-page]').count()).toBe(1)
    await page.goto(`${url}/customers`)
    await heading(page, 'Accounts').waitFor()
    expect(page.url()).toBe(`${url}/accounts?from=rule`)
    // Guard 1 comes first.
    const other = await visitor()
    expect(await whereTo(other, ['/customers', '/help'])).toEqual(['/auth', '/auth'])
  })

  test('An external target causes a full page load.', async () => {
    const { browser, url } = scene()
    const page = await browser.open(`${url}/templates`)
    await heading(page, 'Templates').waitFor()
    await navigateWithin(page, '/help')
    await heading(page, 'Another site').waitFor()
    expect(page.url()).toBe(`${elsewhere}/start`)
  })

  test('Navigating to an external URL without an explicit external flag is refused.', async () => {
    const { member, network, url } = scene()
    const config = (await (await fetch(`${network.url}/config.json`)).json()) as object
    const redirects = [{ from: '/help', to: `${elsewhere}/start` }]
    scene().answer({ path: /^\/config\.json/ }, 200, { ...config, redirects })
    const page = await member()
    await page.goto(`${url}/help`)
    await heading(page, 'Page Not Found').waitFor()
    expect(page.url()).toBe(`${url}/help`)
  })
})

describe('Roles and permissions', () => {
  let cleo: ApiUser
  beforeAll(async () => {
    cleo = await addMember(scene(), 'Cleo Marsh')
  })

  /** Answers who Cleo is with other fields than the server has. */
  async function asUser(fields: object): Promise<void> {
    const { data } = (await cleo.call('GET', '/api/v1/userinfo')) as { data: object }
    scene().answer({ method: 'GET', path: /userinfo$/ }, 200, { data: { ...data, ...fields } })
  }
  const upgrade = (page: Page) => paletteOptions(page).filter({ hasText: 'Upgrade to pro' })
  const inviting = (page: Page) => page.getByRole('button', { name: 'Send invitation' })

  test('The billing and plans settings routes require owner. The members, general and other settings routes have no guard.', async () => {
    const page = await scene().member(cleo)
    const open = routesFor(scene()).in.filter(
      (path) => path.startsWith('/settings') && !OWNER_ONLY.includes(path),
    )
    expect(await whereTo(page, open)).toEqual(open)
    expect(await whereTo(page, OWNER_ONLY)).toEqual(
      all(OWNER_ONLY, '/settings/organisation/general'),
    )
    await openPalette(page)
    expect(await upgrade(page).count()).toBe(0)
    await page.goto(`${scene().url}/settings/organisation/members`)
    await page.getByRole('button', { name: 'Leave…' }).waitFor()
    expect(await inviting(page).count()).toBe(0)
  })

  test('Owner: the active organisation’s user_id equals the current user’s id', async () => {
    const { browser, url } = scene()
    const page = await browser.open(url)
    expect(await whereTo(page, OWNER_ONLY)).toEqual(OWNER_ONLY)
    await openPalette(page)
    expect(await upgrade(page).count()).toBe(1)
  })

  test('Owner: … or the user is a superadmin. Superadmin: a flag on the user.', async () => {
    await asUser({ superadmin: true })
    const page = await scene().member(cleo)
    expect(await whereTo(page, OWNER_ONLY)).toEqual(OWNER_ONLY)
    await openPalette(page)
    expect(await upgrade(page).count()).toBe(1)
    await page.goto(`${scene().url}/settings/organisation/members`)
    await inviting(page).waitFor()
  })

  test('Admin: the member’s pivot.role in the organisation is admin', async () => {
    const { ada, member, url } = scene()
    const { data } = (await cleo.call('GET', '/api/v1/userinfo')) as { data: { id: string } }
    const body = { user_id: data.id, role: 'admin' }
    await ada.call('PUT', `/api/v1/organisation-users/${data.id}`, body)
    const page = await member(cleo)
    await page.goto(`${url}/settings/organisation/members`)
    await inviting(page).waitFor()
    expect(await whereTo(page, OWNER_ONLY)).toEqual(
      all(OWNER_ONLY, '/settings/organisation/general'),
    )
  })
})
