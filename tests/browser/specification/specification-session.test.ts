// The specification's sign-in, sign-out, refresh, startup and stored keys, sentence by sentence.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chooseSignOut, fillSignIn, planRow, waitForOfflineReady } from '../fixtures/app.ts'
import { readAllStorage } from '../fixtures/readable-storage.ts'
import { arrives, heading, shareScene, storedKeys } from './specification-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const scene = shareScene()

const TOKEN = /^\/oauth\/token$/
const API = /^\/api\/v1\//
const NONE = { access_token: null, active_organisation: null, refresh_token: null, user: null }

/** Makes the stored access token one that the server refuses, and loads the page again. */
async function reloadWithOldToken(page: Page): Promise<void> {
  await waitForOfflineReady(page)
  // The tab that is open would notice, and refresh by itself.
  await page.goto(`${scene().url}/healthz`)
  await page.evaluate(() => localStorage.setItem('access_token', 'expired'))
  await page.goto(`${scene().url}/success-plans`)
}

const bearer = (headers: { authorization?: string | undefined }) => headers.authorization

describe('Login', () => {
  test.for(['access_token', 'refresh_token'] as const)(
    'tokens are stored only if both access_token and refresh_token are present in the response: %s alone',
    async (name) => {
      const { ada, url, visitor } = scene()
      const page = await visitor()
      await page.goto(`${url}/auth`)
      // A good one, so that nothing else can be why it is not stored.
      const { [name]: token } = await ada.signIn()
      scene().answer({ method: 'POST', path: TOKEN }, 200, { [name]: token })
      await fillSignIn(page, ada)
      await page.getByRole('alert').waitFor()
      expect(await storedKeys(page)).toEqual(NONE)
      expect(new URL(page.url()).pathname).toBe('/auth')
    },
  )

  test('the current user is then loaded', async () => {
    const { ada, sent, url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/auth`)
    const before = sent.length
    await fillSignIn(page, ada)
    await arrives(page, '/organisations')
    const calls = sent.slice(before).filter(({ path }) => TOKEN.test(path) || API.test(path))
    const [token, user] = calls
    expect([token?.method, token?.path]).toEqual(['POST', '/oauth/token'])
    const { access_token, ...stored } = await storedKeys(page)
    expect([user?.method, user?.path]).toEqual(['GET', '/api/v1/userinfo'])
    expect(user?.headers.authorization).toBe(`Bearer ${access_token}`)
    expect(JSON.parse(stored['user'] ?? '{}')).toMatchObject({ email: ada.email })
  })

  test('Local storage keys: active_organisation, access_token, refresh_token, user', async () => {
    const { ada, member, organisation } = scene()
    const page = await member()
    const stored = await storedKeys(page)
    expect(stored['access_token']).toMatch(/./)
    expect(stored['refresh_token']).toMatch(/./)
    const user = JSON.parse(stored['user'] ?? '{}') as { id: string }
    const { data } = (await ada.call('GET', '/api/v1/userinfo')) as { data: { id: string } }
    expect(user.id).toBe(data.id)
    // The active organisation: id, user_id and pivot.role.
    expect(JSON.parse(stored['active_organisation'] ?? '{}')).toMatchObject({
      id: organisation.id,
      user_id: data.id,
      pivot: { role: expect.any(String) },
    })
  })

  test.for(['access_token', 'refresh_token'])(
    'Logged in means both tokens are present: without %s',
    async (key) => {
      const { member, plan, url } = scene()
      const page = await member()
      await planRow(page, plan).waitFor()
      await waitForOfflineReady(page)
      await page.goto(`${url}/healthz`)
      await page.evaluate((key) => localStorage.removeItem(key), key)
      await page.goto(`${url}/accounts`)
      await heading(page, 'Sign in').waitFor()
      expect(new URL(page.url()).pathname).toBe('/auth')
      // A sign-out of another front end is one here.
      await waitUntil('nothing can be read', async () => {
        const stored = JSON.stringify([await storedKeys(page), await readAllStorage(page)])
        return !stored.includes(plan.title) && !stored.includes(scene().ada.email)
      })
    },
  )
})

/** Stores that under a key of the local storage, null for nothing, and loads the page again. */
async function reloadWith(page: Page, key: string, value: string | null): Promise<void> {
  await waitForOfflineReady(page)
  await page.goto(`${scene().url}/healthz`)
  await page.evaluate(
    ([key, value]) =>
      value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value),
    [key, value] as const,
  )
  await page.goto(`${scene().url}/success-plans`)
}

test.for(['{', '{"id":null}', null])(
  'Logged in means both tokens are present, also where the key user has %s',
  async (value) => {
    const page = await scene().member()
    const before = await storedKeys(page)
    await reloadWith(page, 'user', value)
    await heading(page, 'Success plans').waitFor()
    await waitForOfflineReady(page)
    await expect.poll(() => storedKeys(page)).toEqual(before)
  },
)

test('Keys that have only what the specification names open the app.', async () => {
  const { member, network, plan } = scene()
  const page = await member()
  await planRow(page, plan).waitFor()
  // What it still asks for would be held as well.
  await waitForOfflineReady(page)
  const before = await storedKeys(page)
  const id = (key: string) => (JSON.parse(before[key] ?? '') as { id: string }).id
  const [user_id, organisation_id] = [id('user'), id('active_organisation')]
  // Until the server has said the rest.
  const release = network.hold({ method: 'GET', path: API })
  onTestFinished(release)
  await reloadWith(page, 'user', JSON.stringify({ id: user_id }))
  await planRow(page, plan).waitFor()
  const stored = { id: organisation_id, user_id, pivot: { role: 'admin' } }
  await page.evaluate(
    (value) => localStorage.setItem('active_organisation', value),
    JSON.stringify(stored),
  )
  await page.reload()
  await planRow(page, plan).waitFor()
  expect(await heading(page, 'Internal Server Error').count()).toBe(0)
  release()
  await waitUntil('the server has said the rest', async () => {
    const now = await storedKeys(page)
    return (
      now['user'] === before['user'] && now['active_organisation'] === before['active_organisation']
    )
  })
})

describe('Logout', () => {
  test('clears tokens, user, active organisation and cached queries, then goes to the auth page', async () => {
    const { member, plan } = scene()
    const page = await member()
    await waitForOfflineReady(page)
    await planRow(page, plan).waitFor()
    expect(JSON.stringify(await readAllStorage(page))).toContain(plan.title)
    await chooseSignOut(page)
    await heading(page, 'Sign in').waitFor()
    expect(new URL(page.url()).pathname).toBe('/auth')
    await waitUntil('the keys are cleared', async () =>
      Object.values(await storedKeys(page)).every((value) => value === null),
    )
    await waitUntil(
      'no plan can be read',
      async () => !JSON.stringify(await readAllStorage(page)).includes(plan.title),
    )
  })
})

describe('Session refresh', () => {
  test('A call answered with 401 is retried once after a token refresh. Concurrent refreshes share one pending refresh.', async () => {
    const { member, network, sent } = scene()
    const page = await member()
    const before = sent.length
    // All calls of the start have failed before the refresh is answered.
    const release = network.hold({ method: 'POST', path: TOKEN })
    onTestFinished(release)
    const { access_token: first, refresh_token } = await storedKeys(page)
    await reloadWithOldToken(page)
    /** Without what the page still asked before the reload. */
    const asked = () =>
      sent.slice(before).filter(({ headers }) => bearer(headers) !== `Bearer ${String(first)}`)
    const isOld = ({ headers }: (typeof sent)[number]) => bearer(headers) === 'Bearer expired'
    const old = await waitUntil('several calls are refused', () => {
      const refused = asked().filter(isOld)
      return refused.length > 2 && refused
    })
    release()
    // What is on the device is shown as up to date before the refresh is answered.
    const access_token = await waitUntil('the new token is stored', async () => {
      const stored = await storedKeys(page)
      return stored['access_token'] !== 'expired' && stored['access_token']
    })
    await waitForOfflineReady(page)
    const refreshes = sent.slice(before).filter(({ path }) => TOKEN.test(path))
    expect(refreshes.map(({ body }) => body)).toEqual([
      {
        grant_type: 'refresh_token',
        client_id: expect.any(String),
        client_secret: expect.any(String),
        refresh_token,
        scope: '',
      },
    ])
    for (const { method, path } of old) {
      const tries = () => asked().filter((one) => one.method === method && one.path === path)
      await waitUntil(`${path} is retried`, () => tries().length > 1)
      expect(
        tries()
          .map(({ headers }) => bearer(headers))
          .slice(0, 2),
      ).toEqual(['Bearer expired', `Bearer ${access_token}`])
      // What is asked again later has nothing to do with the refresh.
      expect(tries().filter(isOld).length).toBe(1)
    }
  })

  test('is retried once: a second 401 is not retried again', async () => {
    const { browser, sentTo, url } = scene()
    // Not on the device, so that its screen asks; a call of the specification, so that it is not taken for
    // one that the server lacks.
    const plan = '/success-plans/01a00000-0000-7000-8000-000000000000'
    const refused = new RegExp(`^/api/v1${plan}$`)
    const page = await browser.open(`${url}/accounts`)
    await waitForOfflineReady(page)
    scene().answer({ path: refused }, 401, { message: 'Unauthenticated.' })
    const [calls, tokens] = [sentTo('GET', refused).length, sentTo('POST', TOKEN).length]
    await page.goto(url + plan)
    await heading(page, 'This plan could not be loaded').waitFor()
    expect(sentTo('GET', refused).length).toBe(calls + 2)
    expect(sentTo('POST', TOKEN).length).toBe(tokens + 1)
  })

  test('If the refresh fails the user is logged out.', async () => {
    const { member } = scene()
    const page = await member()
    scene().answer({ method: 'POST', path: TOKEN }, 400, { error: 'invalid_grant' })
    await reloadWithOldToken(page)
    await heading(page, 'Sign in').waitFor()
    expect(new URL(page.url()).pathname).toBe('/auth')
    expect(await storedKeys(page)).toEqual(NONE)
  })
})

describe('Error catalogue', () => {
  test('HTTP 401 on any call except login, refresh or logout paths', async () => {
    const { ada, sentTo, url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/auth`)
    const before = sentTo('POST', TOKEN).length
    scene().answer({ method: 'POST', path: TOKEN }, 401, { message: 'No.' })
    await fillSignIn(page, ada)
    await page.getByRole('alert').waitFor()
    expect(
      sentTo('POST', TOKEN)
        .slice(before)
        .map(({ body }) => body),
    ).toEqual([expect.objectContaining({ grant_type: 'password' })])
  })

  test('Other HTTP errors: Passed to the caller unchanged', async () => {
    const { browser, sentTo, url } = scene()
    const path = /^\/api\/v1\/organisation-invites$/
    const message = 'Invitations are closed waitUntil Tuesday.'
    scene().answer({ method: 'POST', path }, 403, { message })
    const tokens = sentTo('POST', TOKEN).length
    const page = await browser.open(`${url}/settings/organisation/members`)
    await page.getByLabel('Email').fill('new@example.com')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(message).first().waitFor()
    expect(sentTo('POST', path).length).toBe(1)
    expect(sentTo('POST', TOKEN).length).toBe(tokens)
  })
})

describe('Startup', () => {
  test('If a user is logged in, it loads the current user and the active organisation.', async () => {
    const { organisation, browser, url, visitor } = scene()
    const paths = ['/api/v1/userinfo', `/api/v1/organisations/${organisation.id}`]
    const [signedOut, member] = [await visitor(), await browser.open()]
    const asked = new Map<Page, string[]>()
    for (const [page, path, name] of [
      [signedOut, '/auth', 'Sign in'],
      [member, '/templates', 'Templates'],
    ] as const) {
      const calls: string[] = []
      asked.set(page, calls)
      page.on('request', (request) => calls.push(new URL(request.url()).pathname))
      await page.goto(url + path)
      await heading(page, name).waitFor()
    }
    await waitUntil('both are asked for', () =>
      paths.every((path) => asked.get(member)?.includes(path)),
    )
    expect(asked.get(signedOut)?.filter((path) => API.test(path))).toEqual([])
  })

  test('It can be refreshed from the server by id; on failure that refresh is silently ignored.', async () => {
    const { member, organisation, url } = scene()
    const page = await member()
    await waitForOfflineReady(page)
    const before = await storedKeys(page)
    const path = new RegExp(`/organisations/${organisation.id}$`)
    scene().answer({ path }, 500, { message: 'Out of order.' })
    const answered = page.waitForResponse((one) => path.test(new URL(one.url()).pathname))
    await page.goto(`${url}/accounts`)
    await answered
    await waitForOfflineReady(page)
    expect((await storedKeys(page))['active_organisation']).toBe(before['active_organisation'])
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByText('Out of order.').count()).toBe(0)
  })

  test.for([
    ['auto', 'light', 'light'],
    ['auto', 'dark', 'dark'],
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
  ] as const)(
    'It applies the theme: the system preference when the stored setting is ‘auto’, otherwise the stored setting: %s on %s is %s',
    async ([stored, system, shown]) => {
      const { url, visitor } = scene()
      const page = await visitor()
      await page.addInitScript((stored) => localStorage.setItem('theme', stored), stored)
      await page.emulateMedia({ colorScheme: system })
      await page.goto(`${url}/auth`)
      await heading(page, 'Sign in').waitFor()
      const scheme = await page.evaluate(
        () => getComputedStyle(document.documentElement).colorScheme,
      )
      expect(scheme).toBe(shown)
    },
  )

  test('Locale: single, English (en); locale cookie i18n_redirected, 365 days, path root, same-site lax.', async () => {
    const { url, visitor } = scene()
    const page = await visitor()
    await page.goto(`${url}/auth`)
    const cookie = await waitUntil('the cookie is there', async () =>
      (await page.context().cookies()).find(({ name }) => name === 'i18n_redirected'),
    )
    expect(cookie).toMatchObject({ value: 'en', path: '/', sameSite: 'Lax' })
    expect(Math.round((cookie.expires - Date.now() / 1_000) / 86_400)).toBe(365)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  })
})
