// Signing in with Google: the redirect, the return, and everything that may fail between.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chooseSignOut } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { GoogleIssuer } from '../fixtures/google-issuer.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const person = (sub: string, email: string, more: object = {}) => ({
  claims: { sub, email, name: sub, ...more },
})
const GINA = 'gina@elsewhere.example'

const signedIn = (page: Page) =>
  page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? 'null') as { email: string } | null
    return user?.email ?? null
  })

test('Google sign-in rejects cancelled, forged and unverified responses and returns to the requested screen', async () => {
  const issuer = await GoogleIssuer.start({
    Cancel: { error: 'access_denied' },
    Tampered: { ...person('Gina', GINA), state: 'another-state' },
    'Slipped in': person('Gina', GINA, { nonce: 'of-another-sign-in' }),
    'Not confirmed': person('Nora', 'nora@elsewhere.example', { email_verified: false }),
    'Ada Fell': person('Ada', 'ada.fell@example.com'),
    'Mia Pass': person('Mia', 'mia.pass@example.com'),
    Gina: person('Gina', GINA),
  })
  onTestFinished(() => issuer.close())
  const scene = await createBrowserFixture({ env: issuer.env, origins: [issuer.url] })
  const { browser, network, plan, url } = scene
  const mia = await addMember(scene, 'Mia Pass')
  const place = `/success-plans/${plan.id}`
  const form = `${url}/auth?redirect=${encodeURIComponent(place)}`
  const page = await browser.open(url + place)
  const google = page.getByRole('button', { name: 'Continue with Google' })
  const choose = async (words: string) => {
    await google.click()
    await page.getByRole('link', { name: words }).click()
  }
  const socialSignIns = () => network.requests('POST', /^\/oauth\/token$/).length

  await google.waitFor()
  expect(issuer.requests).toEqual([])

  for (const [choice, words] of [
    ['Cancel', /You cancelled/],
    ['Tampered', /This sign-in was not started here/],
    ['Slipped in', /This sign-in was not started here/],
    ['Not confirmed', /has not confirmed that this email address is yours/],
  ] as const) {
    await choose(choice)
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
    expect(socialSignIns()).toBe(0)
    // The response is removed from the address, and the return path is not lost.
    expect(page.url()).toBe(form)
  }

  // The account has a password and an unverified address: the form shows the server's message.
  await choose('Ada Fell')
  await page.getByText(/This address belongs to an account with a password/).waitFor()
  expect([await signedIn(page), page.url()]).toEqual([null, form])

  await google.click()
  const miaLink = page.getByRole('link', { name: 'Mia Pass' })
  const answer = (await miaLink.getAttribute('href')) ?? ''
  await miaLink.click()
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  expect([await signedIn(page), page.url()]).toEqual([mia.email, url + place])

  // The profile lists Google as a way in, and removes it.
  await page.goto(`${url}/settings/profile`)
  await page.getByRole('heading', { name: 'Sign in with Google' }).waitFor()
  const remove = page.getByRole('button', { name: 'Remove Google' })
  await remove.click()
  await page.getByText('Google will no longer sign you in here.').waitFor()
  await remove.click()
  await page.getByText('Google no longer signs you in').waitFor()
  await remove.waitFor({ state: 'detached' })

  await chooseSignOut(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await waitUntil('the session has ended', async () => (await signedIn(page)) === null)
  // The same response again: it is valid for one sign-in.
  await page.goto(answer)
  await page.getByText(/This sign-in was not started here/).waitFor()
  expect(await signedIn(page)).toBeNull()
  await page.goto(`${url}/auth`)
  // A new user without a return path.
  await choose('Gina')
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
  expect(await signedIn(page)).toBe(GINA)
  expect(page.url()).toMatch(/\/onboarding$/)
  expect(await page.evaluate(() => localStorage.getItem('google-sign-in'))).toBeNull()
})
