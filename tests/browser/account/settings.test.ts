// The settings: a user's own work offline, the organisation's need a network, and billing is the
// owner's.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { User } from '../../../contract/schemas/people.ts'
import type { NotificationConsents } from '../../../contract/schemas/settings.ts'
import { SAVED, openPlans, waitForOfflineReady, signIn } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const BILLING = '/settings/organisation/billing'

async function openAt(page: Page, url: string, heading: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

test('profile and notification settings change offline and are sent once', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, url } = scene
  const page = await openPlans(scene)
  await openAt(page, `${url}/settings/notifications`, 'Notifications')
  await page.getByRole('switch', { name: 'Updates' }).waitFor()

  await network.goDown()
  await page.getByRole('button', { name: /Sync: Offline/ }).waitFor()
  await page.getByRole('switch', { name: 'Updates' }).click()
  await page.getByText(SAVED).waitFor()
  await page.getByRole('switch', { name: 'News about Cairn' }).click()
  await page.getByLabel('Summary of your plans').selectOption('daily')
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByLabel('Job title').fill('Head of Ridges')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your profile was changed on this device.').waitFor()
  await page.reload()
  const title = page.getByLabel('Job title')
  expect(await title.inputValue()).toBe('Head of Ridges')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('switch', { name: 'Updates', checked: false }).waitFor()
  await page.getByRole('switch', { name: 'News about Cairn', checked: true }).waitFor()

  await network.goUp()
  const consents = await waitUntil('the server has the choices', async () => {
    const { data } = (await ada.call('GET', '/api/v1/notification-consents')) as {
      data: NotificationConsents
    }
    return data.email.product_news && data.digest === 'daily' && data
  })
  expect(consents.email.plan_update).toBe(false)
  await waitUntil('the server has the profile', async () => {
    const { data } = (await ada.call('GET', '/api/v1/userinfo')) as { data: User }
    return data.job_title === 'Head of Ridges'
  })
  // Consecutive choices that were not sent yet become one request.
  expect(network.requests('PUT', /notification-consents$/).length).toBe(1)
  expect(network.requests('PUT', /userinfo$/).length).toBe(1)
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByText('Your profile was changed on this device.').waitFor({ state: 'detached' })
  expect(await title.inputValue()).toBe('Head of Ridges')
})

longTest(
  'a free organisation at its limit can upgrade, open the portal and downgrade',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { ada, pageErrors: complaints, organisation, server, url } = scene
    await ada.call('POST', '/api/v1/organisation-invites', { email: 'one@example.com' })
    await ada.call('POST', '/api/v1/organisation-invites', { email: 'two@example.com' })
    const page = await openPlans(scene)
    await openAt(page, `${url}/settings/organisation/members`, 'Members')
    await page.getByText(/The Free plan includes 3 members/).waitFor()
    await page.getByRole('link', { name: 'See pricing' }).click()
    await page.getByRole('button', { name: 'Upgrade to Professional' }).click()
    await page.getByRole('button', { name: 'Change to Free…' }).waitFor()
    const plan = async () => {
      const path = `/api/v1/organisations/${organisation.id}`
      return ((await ada.call('GET', path)) as { data: Organisation }).data.plan
    }
    expect(await plan()).toBe('professional')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByLabel('Email').fill('three@example.com')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('listitem').filter({ hasText: 'three@example.com' }).waitFor()

    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByRole('button', { name: 'Open the portal' }).click()
    await page.getByRole('heading', { name: 'Payments are not set up' }).waitFor()
    // The portal is the server's own page, and its address is not that of the proxy.
    const portal = complaints.splice(0)
    expect(portal.filter((one) => !one.includes(`asked another origin: ${server.url}/`))).toEqual(
      [],
    )

    await openAt(page, `${url}/settings/organisation/plans`, 'Pricing')
    await page.getByRole('button', { name: 'Change to Free…' }).click()
    await page
      .getByRole('alertdialog')
      .getByText(/Nothing is deleted or locked/)
      .waitFor()
    await page.getByRole('button', { name: 'Change to Free', exact: true }).click()
    // The dialog has a button of that name too; while it is open, the rest of the page is hidden from roles.
    const keep = page.getByRole('main').getByRole('button', { name: 'Keep Professional' })
    await keep.waitFor()
    expect(await plan()).toBe('professional')
    await keep.click()
    await page.getByRole('button', { name: 'Change to Free…' }).waitFor()
  },
)

longTest('of a subscription without a plan, the app says that it is not known', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { network, url } = scene
  const answer = (body: object) =>
    network.injectFault(
      { method: 'GET', path: /subscriptions$/ },
      {
        kind: 'answered',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: body }),
      },
    )
  const paid = answer({ status: 'active', current_period_end: '2030-05-04T00:00:00Z' })
  const page = await openPlans(scene)
  await openAt(page, `${url}/settings/organisation/billing`, 'Billing')
  await page.getByRole('heading', { name: 'Plan not known' }).waitFor()
  await page.getByText('Renews automatically on May 4, 2030.').waitFor()
  expect(await page.getByText(/Free|no limit/).count()).toBe(0)
  await openAt(page, `${url}/settings/organisation/plans`, 'Pricing')
  await page.getByText('The server does not say which plan you have.').waitFor()
  expect(await page.getByText('Your plan', { exact: true }).count()).toBe(0)
  // Neither a second payment nor the end of what is not known.
  expect(await page.getByRole('button', { name: /^(Upgrade|Change) to/ }).count()).toBe(0)

  paid()
  answer({})
  await page.reload()
  await page.getByRole('button', { name: 'Upgrade to Professional' }).waitFor()
  await page.getByText('The server does not say which plan you have.').waitFor()
})

longTest(
  'a member sees no billing, learns who the owner is and cannot change settings',
  async () => {
    const scene = await createBrowserFixture()
    const { ada, browser, network, url } = scene
    const cleo = await addMember(scene, 'Cleo Marsh')
    const page = await browser.open()
    await signIn(page, url, cleo)
    await waitForOfflineReady(page)
    // Slowed down, because much happens between the redirect and the arrival.
    const device = await page.context().newCDPSession(page)
    for (const rate of [1, 4, 8, 4]) {
      await device.send('Emulation.setCPUThrottlingRate', { rate })
      await openAt(page, `${url}${BILLING}`, 'General')
    }
    expect(new URL(page.url()).pathname).toBe('/settings/organisation/general')
    await page.getByText(`Only the owner, ${ada.name}, can see billing and pricing.`).waitFor()
    await page.getByText('Only the owner and admins can change this.').waitFor()
    expect(await page.getByRole('button', { name: /Save changes|Delete…/ }).count()).toBe(0)
    expect(network.requests('GET', /subscriptions/)).toEqual([])
  },
)

longTest('an organisation is renamed, and deleted only by its exact name', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, organisation, url } = scene
  const page = await openPlans(scene)
  await openAt(page, `${url}/settings/organisation/general`, 'General')
  await page.getByLabel('Name').fill('Ridge and Sons')
  await page.getByLabel(/Website/).fill('ridge.example.com')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('link', { name: 'Organisation: Ridge and Sons' }).waitFor()
  const path = `/api/v1/organisations/${organisation.id}`
  const { data } = (await ada.call('GET', path)) as { data: Organisation }
  expect([data.name, data.website]).toEqual(['Ridge and Sons', 'https://ridge.example.com'])

  await page.getByRole('button', { name: 'Delete…' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill(organisation.name)
  await question.getByRole('button', { name: 'Delete permanently' }).click()
  await question.getByText('The name does not match. Type it exactly.').waitFor()
  await question.getByRole('textbox').fill('Ridge and Sons')
  await question.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('You do not belong to an organisation yet').waitFor()
  await expect(ada.call('GET', path)).rejects.toThrow(/404/)
})
