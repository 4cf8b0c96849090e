// Joining: by invitation, by registration, and after a forgotten password.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { adminOfRunningServer } from '../../../server/ops/admin-socket.ts'
import { fillSignIn } from '../fixtures/app.ts'
import { mailedLink } from '../fixtures/mailed-link.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const INVITES = '/api/v1/organisation-invites'

async function fillRegistration(page: Page, { name, password }: ApiUser, repeated = password) {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the password').fill(repeated)
  await page.getByRole('button', { name: 'Create account' }).click()
}

const membersOf = async ({ ada }: BrowserFixture) => {
  const { data } = (await ada.call('GET', '/api/v1/organisation-users')) as {
    data: OrganisationUser[]
  }
  return data.map(({ name }) => name).toSorted()
}

test('registration by invitation fixes the address, shows errors at their fields and joins the organisation', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, organisation, plan, server } = scene
  const cleo = new ApiUser(server.url, 'Cleo Marsh')
  await ada.call('POST', INVITES, { email: cleo.email })
  const link = await mailedLink(scene, cleo.email, 'invite')
  const page = await browser.open(link)
  await page.getByRole('heading', { name: `Join ${organisation.name}` }).waitFor()
  const email = page.getByLabel('Email')
  expect(await email.inputValue()).toBe(cleo.email)
  expect(await email.getAttribute('readonly')).not.toBeNull()

  await fillRegistration(page, cleo, 'something else')
  await page.getByRole('link', { name: /The passwords do not match/ }).click()
  const repeatField = page.getByLabel('Repeat the password')
  expect(await repeatField.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await repeatField.getAttribute('aria-invalid')).toBe('true')
  await fillRegistration(page, cleo)
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
  expect(await membersOf(scene)).toEqual([ada.name, cleo.name])

  await page.getByRole('button', { name: 'Finish later' }).click()
  await page.getByRole('link', { name: `Organisation: ${organisation.name}` }).waitFor()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Success plans' })
    .click()
  await page.locator(`[data-plan="${plan.id}"]`).waitFor()

  // The link was used and is invalid now.
  const other = await browser.open(link)
  await other.getByText(/This invitation is no longer valid/).waitFor()
})

longTest('an invitation stays with an existing user through sign-in', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, organisation, server } = scene
  const bob = await ApiUser.register(server.url, 'Bob Tarn')
  await ada.call('POST', INVITES, { email: bob.email })
  const page = await browser.open(await mailedLink(scene, bob.email, 'invite'))
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(page, bob)
  await page.getByRole('button', { name: `Join ${organisation.name}` }).click()
  await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
  expect(await membersOf(scene)).toEqual([ada.name, bob.name])
})

longTest('registering again after a lost response signs the user in', async () => {
  const { browser, network, url, server } = await createBrowserFixture()
  const dora = new ApiUser(server.url, 'Dora Vale')
  const page = await browser.open(`${url}/auth`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  // Each answer, because a browser may retry by itself when a connection breaks.
  const repair = network.injectFault({ method: 'POST', path: /register$/ }, { kind: 'answer-lost' })
  await page.getByLabel('Email').fill(dora.email)
  await fillRegistration(page, dora)
  await page.getByText(/The server did not answer/).waitFor()
  repair()
  // After the failure the app may count as offline for a moment.
  const submit = page.getByRole('button', { name: 'Create account' })
  await waitUntil('the form can be submitted again', async () => {
    return (await submit.getAttribute('aria-disabled')) === null
  })
  await submit.click()
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
  const [first, ...others] = network.requests('POST', /register$/).map(({ upstream }) => upstream)
  expect(first).toBe(201)
  expect(new Set(others)).toEqual(new Set([422]))
})

longTest('a taken address is reported at its field', async () => {
  const { ada, browser, url } = await createBrowserFixture()
  const page = await browser.open(`${url}/auth/registration`)
  await page.getByLabel('Email').fill(ada.email)
  await fillRegistration(page, ada)
  await page.getByRole('link', { name: 'Email: This email address is taken.' }).waitFor()
  expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  // Registering with an existing address and, by chance, its password does not sign in.
  expect(new URL(page.url()).pathname).toBe('/auth/registration')
})

test('a forgotten password is reset by mail, and the old password and the link become invalid', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, url } = scene
  const page = await browser.open(url)
  await page.getByRole('link', { name: 'Forgotten your password?' }).click()
  await page.getByRole('heading', { name: 'Forgotten your password?' }).waitFor()
  await page.getByLabel('Email').fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const link = await mailedLink(scene, ada.email, 'password')
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  const password = 'another-cairn-on-the-ridge'
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Repeat the password').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor()
  await expect(ada.signIn()).rejects.toThrow(/400/)

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
})

longTest(
  'the link for the first account is good for any address, also where registration is closed',
  async () => {
    const { browser, server, url } = await createBrowserFixture({ env: { REGISTRATION: 'closed' } })
    const answer = await adminOfRunningServer(server.dataDir).perform({ action: 'setup-link' })
    const link = 'details' in answer ? String(answer.details?.link) : ''
    const eve = new ApiUser(server.url, 'Eve Holm')
    const page = await browser.open(`${url}${link.slice(link.indexOf('/auth'))}`)
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    await page.getByLabel('Email').fill(eve.email)
    await fillRegistration(page, eve)
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor()

    // The link was used: no one else can register here.
    const other = await browser.open(`${url}/auth?forgotten`)
    await other.getByText('This server sends no email.').waitFor()
  },
)
