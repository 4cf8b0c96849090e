// A passkey that was added signs no one in, or one that was removed still does.
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseSignOut, openPlans } from '../fixtures/app.ts'
import { ORIGIN } from '../fixtures/chromium.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const signedIn = (page: Page) =>
  page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? 'null') as { email: string } | null
    return user?.email ?? null
  })

/** Plugs a virtual authenticator in, with a user who confirms everything by fingerprint. */
async function plugAuthenticatorIn(devtools: CDPSession): Promise<string> {
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

test('a passkey is added in the profile, signs in without a password, and is removed', async () => {
  const scene = await createBrowserFixture({ env: { PUBLIC_URL: ORIGIN } })
  const { ada, browser, network, url } = scene
  const page = await openPlans(scene)
  const devtools = await browser.context.newCDPSession(page)
  const authenticatorId = await plugAuthenticatorIn(devtools)
  const profile = `${url}/settings/profile`
  await page.goto(profile)

  const add = page.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  await page.getByText('Your browser asks where to save it.').waitFor()
  await add.click()
  await page.getByText('The passkey is added').waitFor()
  await page.getByRole('heading', { name: /^Passkey of / }).waitFor()

  // An authenticator makes no second passkey for one account.
  await add.click()
  await add.click()
  await page.getByText('There is a passkey for this account on that device already.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  const signOut = async () => {
    await chooseSignOut(page)
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await waitUntil('the session has ended', async () => (await signedIn(page)) === null)
  }
  const enter = page.getByRole('button', { name: 'Sign in with a passkey' })
  await signOut()
  await enter.click()
  await waitUntil('the passkey has signed in', async () => (await signedIn(page)) === ada.email)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor({ state: 'detached' })

  // Fresh from the passkey, its user removes it without a password.
  await page.goto(profile)
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page
    .getByText(/^Last used/)
    .first()
    .waitFor()
  const remove = page.getByRole('button', { name: /^Remove the passkey of / })
  await remove.click()
  await page.getByText('It no longer signs you in.').waitFor()
  await remove.click()
  await page.getByText('The passkey is removed').waitFor()
  await signOut()
  await enter.click()
  await page.getByText('This passkey does not open an account here.').waitFor()
  expect(await signedIn(page)).toBeNull()

  // A user who cannot be verified.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  const exchanges = network.requests('POST', /^\/oauth\/token$/).length
  await enter.click()
  await page.getByText('Nothing was changed: you cancelled, or it took too long.').waitFor()
  expect(network.requests('POST', /^\/oauth\/token$/)).toHaveLength(exchanges)
})
