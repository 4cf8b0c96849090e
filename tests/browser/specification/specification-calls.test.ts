// The specification's headers and request bodies, sentence by sentence, as they go over the network.
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import {
  composer,
  fillSignIn,
  openPlan,
  pickOrganisation,
  post,
  waitForOfflineReady,
} from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { GoogleIssuer } from '../fixtures/google-issuer.ts'
import { arrives, heading, shareScene, storedKeys, type Sent } from './specification-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const PERSON = { sub: 'gina', email: 'gina@elsewhere.example', name: 'Gina' }
const issuer = await GoogleIssuer.start({ Gina: { claims: PERSON } })
afterAll(() => issuer.close())
const scene = shareScene(() => ({ env: issuer.env, origins: [issuer.url] }))

const TOKEN = /^\/oauth\/token$/
/** The calls of the specification that read or change the data of one organisation. */
const OF_AN_ORGANISATION =
  /^\/api\/v1\/(success-plans|accounts|initiatives|actions|organisation-users|organisation-invites|subscriptions)\b/
/** The product's own event stream is no call of the specification, and no JSON. */
const isCall = ({ path }: Sent) => /^\/(api\/v1|oauth)\//.test(path) && path !== '/api/v1/events'

/** The first request of that method and path that follows on the act. */
async function sentBy(method: string, path: RegExp, act: () => Promise<unknown>): Promise<Sent> {
  const before = scene().sentTo(method, path).length
  await act()
  return await waitUntil(`${method} ${String(path)}`, () => scene().sentTo(method, path).at(before))
}

async function openAt(path: string): Promise<Page> {
  const page = await scene().browser.open(scene().url + path)
  await heading(page).waitFor()
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('Requests carry', () => {
  test('a bearer access token when one exists, and an X-organisation header with the active organisation id when one is selected', async () => {
    const { ada, organisation, sent, url, visitor } = scene()
    const page = await visitor()
    let from = sent.length
    await page.goto(`${url}/auth`)
    await fillSignIn(page, ada)
    await arrives(page, '/organisations')
    await page.getByRole('list', { name: 'Your organisations' }).waitFor()
    const { access_token } = await storedKeys(page)
    const early = sent.slice(from).filter(isCall)
    expect(early.length).toBeGreaterThan(2)
    expect(early.filter(({ headers }) => headers['x-organisation'] !== undefined)).toEqual([])
    for (const { path, headers } of early)
      expect(headers.authorization, path).toBe(
        TOKEN.test(path) ? undefined : `Bearer ${access_token}`,
      )

    await pickOrganisation(page)
    await waitForOfflineReady(page)
    from = sent.length
    const asked = () => sent.slice(from).filter(isCall)
    for (const [place, call] of [
      ['/settings/organisation/members', '/api/v1/organisation-invites'],
      ['/settings/organisation/billing', '/api/v1/subscriptions'],
    ] as const) {
      await page.goto(url + place)
      await waitUntil(`${call} is asked`, () => asked().some(({ path }) => path.startsWith(call)))
    }
    const scoped = asked().filter(({ path }) => OF_AN_ORGANISATION.test(path))
    expect(scoped.length).toBeGreaterThan(1)
    for (const { path, headers } of scoped)
      expect(headers['x-organisation'], path).toBe(organisation.id)
    const calledSince = (name: string) =>
      sent.slice(from).some(({ path }) => path.includes(`/v1/${name}`))
    // A page that is left too soon asks nothing.
    for (const [place, calls] of [
      ['/settings/notifications', ['notification-consents']],
      ['/onboarding', ['onboarding']],
      ['/settings/profile', ['userinfo', 'organisations/', 'events']],
    ] as const) {
      await page.goto(url + place)
      await waitUntil(`${calls.join()} is asked`, () => calls.every(calledSince))
    }
    const authenticated = sent.slice(from).filter(({ path }) => /^\/(api\/v1|oauth)\//.test(path))
    for (const { path, headers } of authenticated) {
      expect(headers.authorization, path).toBe(`Bearer ${access_token}`)
      expect(headers['x-organisation'], path).toBe(organisation.id)
    }
  })

  test('All calls go to a configured API base URL and ask for JSON.', async () => {
    const { ada, network, sent, sentTo, url, visitor } = scene()
    const calls = sent.filter(isCall)
    expect(calls.length).toBeGreaterThan(2)
    for (const { path, headers } of calls) expect(headers.accept, path).toBe('application/json')
    const config = (await (await fetch(`${network.url}/config.json`)).json()) as object
    scene().answer({ path: /^\/config\.json/ }, 200, { ...config, apiBaseUrl: `${url}/behind` })
    const page = await visitor()
    await page.goto(`${url}/auth`)
    const before = sent.length
    await fillSignIn(page, ada)
    await page.getByRole('alert').waitFor()
    expect(sentTo('POST', /^\/behind\/oauth\/token$/).length).toBe(1)
    expect(sent.slice(before).filter(isCall)).toEqual([])
  })
})

describe('Auth and user', () => {
  const client = { client_id: expect.any(String), client_secret: expect.any(String), scope: '' }

  test('POST /api/v1/register: registration payload; GET and POST /api/v1/onboarding; POST /api/v1/organisations {name}', async () => {
    const { url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/auth/registration`)
    await page.getByLabel('Your name').fill('Dora Vale')
    await page.getByLabel('Email').fill('dora.vale@example.com')
    await page.getByLabel('Password', { exact: true }).fill('over-the-hills')
    await page.getByLabel('Repeat the password').fill('over-the-hills')
    const { body, headers } = await sentBy('POST', /^\/api\/v1\/register$/, () =>
      button(page, 'Create account').click(),
    )
    expect(body).toMatchObject({ name: 'Dora Vale', email: 'dora.vale@example.com' })
    expect(headers.authorization).toBe(undefined)
    await heading(page, 'Who are you?').waitFor()
    expect(scene().sentTo('GET', /^\/api\/v1\/onboarding$/).length).toBeGreaterThan(0)
    await page.getByLabel('Job title').fill('Guide')
    await sentBy('POST', /^\/api\/v1\/onboarding$/, () => button(page, 'Continue').click())
    await heading(page, 'Where do you work?').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Vale Works')
    const organisation = await sentBy('POST', /^\/api\/v1\/organisations$/, () =>
      button(page, 'Create organisation').click(),
    )
    expect(organisation.body).toMatchObject({ name: 'Vale Works' })
  })

  test('POST /oauth/token, grant_type password: client id, client secret, username, password, scope empty.', async () => {
    const { ada, member } = scene()
    const { body } = await sentBy('POST', TOKEN, () => member())
    const { email: username, password } = ada
    expect(body).toEqual({ grant_type: 'password', username, password, ...client })
  })

  test('POST /oauth/token, grant_type social: provider google, client id, client secret, token, scope empty.', async () => {
    const { url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/auth`)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    const { body } = await sentBy('POST', TOKEN, () =>
      page.getByRole('link', { name: 'Gina' }).click(),
    )
    expect(body).toMatchObject({
      grant_type: 'social',
      provider: 'google',
      token: expect.stringMatching(/./),
      ...client,
    })
    await arrives(page, '/onboarding')
  })

  test('PUT /api/v1/userinfo: profile payload', async () => {
    const page = await openAt('/settings/profile')
    await page.getByLabel('Job title').fill('Head of Ridges')
    const { body } = await sentBy('PUT', /^\/api\/v1\/userinfo$/, () =>
      button(page, 'Save changes').click(),
    )
    expect(body).toMatchObject({ job_title: 'Head of Ridges' })
  })

  test('PUT /api/v1/notification-consents with the consents payload', async () => {
    const page = await openAt('/settings/notifications')
    const { body } = await sentBy('PUT', /^\/api\/v1\/notification-consents$/, () =>
      page.getByRole('switch', { name: 'News about Cairn' }).click(),
    )
    expect(body).toEqual({ email: { product_news: true } })
  })
})

describe('Organisations', () => {
  test('PUT /api/v1/organisations/{active id} (organisation data)', async () => {
    const { organisation } = scene()
    const page = await openAt('/settings/organisation/general')
    await page.getByLabel(/Website/).fill('https://ridge.example.com')
    const { body, path } = await sentBy('PUT', /^\/api\/v1\/organisations\//, () =>
      button(page, 'Save changes').click(),
    )
    expect(path).toBe(`/api/v1/organisations/${organisation.id}`)
    expect(body).toMatchObject({ website: 'https://ridge.example.com' })
  })

  test('POST /api/v1/organisation-invites {email}.', async () => {
    const page = await openAt('/settings/organisation/members')
    await page.getByLabel('Email').fill('new@example.com')
    const { body } = await sentBy('POST', /^\/api\/v1\/organisation-invites$/, () =>
      button(page, 'Send invitation').click(),
    )
    expect(body).toMatchObject({ email: 'new@example.com' })
  })

  test('POST /api/v1/leave-organisation {organisation_id}. Members can leave an organisation.', async () => {
    const { member, organisation, url } = scene()
    const page = await member(await addMember(scene(), 'Cleo Marsh'))
    await page.goto(`${url}/settings/organisation/members`)
    await button(page, 'Leave…').click()
    const { body } = await sentBy('POST', /^\/api\/v1\/leave-organisation$/, () =>
      page.getByRole('alertdialog').getByRole('button', { name: 'Leave', exact: true }).click(),
    )
    expect(body).toEqual({ organisation_id: organisation.id })
    // The active organisation is cleared.
    await arrives(page, '/organisations')
    expect((await storedKeys(page))['active_organisation']).toBe(null)
  })
})

describe('Success plans and subscription', () => {
  test('POST /api/v1/success-plans/{id}/updates', async () => {
    const { plan } = scene()
    const page = await openAt('/success-plans')
    await openPlan(page, plan)
    await composer(page).waitFor()
    const { path, body } = await sentBy('POST', /\/updates$/, () => post(page, 'All on track.'))
    expect(path).toBe(`/api/v1/success-plans/${plan.id}/updates`)
    expect(body).toMatchObject({ body: 'All on track.' })
  })

  test('Subscription: moves to the professional plan on upgrade, and is cancelled or downgraded on downgrade.', async () => {
    const page = await openAt('/settings/organisation/plans')
    const upgrade = await sentBy('POST', /^\/api\/v1\/subscriptions$/, () =>
      button(page, 'Upgrade to Professional').click(),
    )
    expect(upgrade.body).toEqual({ plan: 'professional' })
    await button(page, 'Change to Free…').click()
    await sentBy('DELETE', /^\/api\/v1\/subscriptions$/, () =>
      button(page, 'Change to Free').click(),
    )
    await page.getByRole('main').getByRole('button', { name: 'Keep Professional' }).waitFor()
  })
})
