// Signing in with an OpenID Connect issuer: the way there and back, and everything that may fail between.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { OIDC_CLIENT, OidcIssuer } from '../../server/fixtures/oidc-issuer.ts'
import { chooseSignOut } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { ORIGIN } from '../fixtures/chromium.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const signedIn = (page: Page) =>
  page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? 'null') as { email: string } | null
    return user?.email ?? null
  })

test('a sign-in with an issuer rejects cancelled, forged and repeated answers, and is listed in the profile', async () => {
  const issuer = await OidcIssuer.start({
    Cancel: { error: 'access_denied' },
    Outsider: { claims: { sub: 'eve', email: 'eve@elsewhere.example', email_verified: true } },
    Mia: { claims: { sub: 'mia', email: 'mia.pass@example.com', email_verified: true } },
  })
  onTestFinished(() => issuer.close())
  const env = {
    PUBLIC_URL: ORIGIN,
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    OIDC_NAME: 'Acme ID',
    OIDC_DOMAINS: 'example.com',
  }
  const scene = await createBrowserFixture({ env, origins: [issuer.url] })
  const { browser, network, url } = scene
  const mia = await addMember(scene, 'Mia Pass')
  const form = `${url}/auth?redirect=${encodeURIComponent('/settings/profile')}`
  const page = await browser.open(form)
  const button = page.getByRole('button', { name: 'Continue with Acme ID' })
  const exchanges = () => network.requests('POST', /^\/oauth\/token$/).length

  await button.waitFor()
  expect(issuer.requests).toEqual([])

  await button.click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('alert').filter({ hasText: 'You cancelled signing in.' }).waitFor()
  expect([exchanges(), page.url()]).toEqual([0, form])

  // An answer with the state of another sign-in.
  await button.click()
  const forged = new URL((await page.getByRole('link', { name: 'Mia' }).getAttribute('href')) ?? '')
  forged.searchParams.set('state', 'another-state')
  await page.goto(forged.href)
  await page.getByRole('alert').filter({ hasText: 'was not started here' }).waitFor()
  expect([exchanges(), await signedIn(page)]).toEqual([0, null])

  await button.click()
  await page.getByRole('link', { name: 'Outsider' }).click()
  await page.getByText('Addresses of this domain cannot sign in here.').waitFor()
  expect(await signedIn(page)).toBeNull()

  await button.click()
  const link = page.getByRole('link', { name: 'Mia' })
  const answer = (await link.getAttribute('href')) ?? ''
  await link.click()
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Sign in with Acme ID' }).waitFor()
  expect([await signedIn(page), page.url()]).toEqual([mia.email, `${url}/settings/profile`])
  expect(await page.evaluate(() => localStorage.getItem('google-sign-in'))).toBeNull()

  await chooseSignOut(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await waitUntil('the session has ended', async () => (await signedIn(page)) === null)
  // The same answer again.
  await page.goto(answer)
  await page.getByText(/This sign-in was not started here/).waitFor()
  expect(await signedIn(page)).toBeNull()
})
