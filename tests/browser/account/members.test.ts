// Members of an organisation: invited, given another role, removed.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import {
  chooseSignOut,
  fillSignIn,
  openPlans,
  pickOrganisation,
  planRow,
  waitForOfflineReady,
  signIn,
} from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { mailedLink } from '../fixtures/mailed-link.ts'
import type { ApiUser } from '../fixtures/api-user.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const membersFor = async (person: ApiUser) =>
  ((await person.call('GET', '/api/v1/organisation-users')) as { data: OrganisationUser[] }).data

const roleFor = async (person: ApiUser, name: string) =>
  (await membersFor(person)).find((member) => member.name === name)?.pivot.role

const roleOf = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^Role of ${name}`) })

async function openMembers(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('list', { name: 'Members' }).waitFor()
}

test('a promoted member can manage and leave; leaving removes the organisation from the device', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, organisation, plan } = scene
  const cleo = await addMember(scene, 'Cleo Marsh')
  const page = await openPlans(scene)
  await openMembers(page)
  await page.getByText('You own this organisation, so you cannot leave it.').waitFor()
  await roleOf(page, cleo.name).waitFor()
  expect(await roleOf(page, ada.name).count()).toBe(0)
  await roleOf(page, cleo.name).click()
  await page.getByRole('menuitemradio', { name: /^Admin/ }).click()
  await page.getByRole('button', { name: `Role of ${cleo.name}: Admin` }).waitFor()
  expect(await roleFor(ada, cleo.name)).toBe('admin')

  await chooseSignOut(page)
  await fillSignIn(page, cleo)
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  await openMembers(page)
  await page.getByRole('button', { name: 'Send invitation' }).waitFor()
  expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
  expect(await isStored(page, plan.title)).toBe(true)
  await page.getByRole('button', { name: 'Leave…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByText('You do not belong to an organisation yet').waitFor()
  expect((await membersFor(ada)).map(({ name }) => name)).toEqual([ada.name])
  for (const name of [plan.title, organisation.name])
    await waitUntil(`“${name}” has been removed`, async () => !(await isStored(page, name)))
})

longTest('removing a colleague asks who takes over, and the colleague’s name stays', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada } = scene
  const cleo = await addMember(scene, 'Cleo Marsh')
  const heir = await addMember(scene, 'Hana Sato')
  const plan = await cleo.createPlan({ title: 'Cleo’s roll-out', type: 'project' })
  await cleo.call('POST', `/api/v1/success-plans/${plan.id}/updates`, { body: 'They signed.' })
  const page = await openPlans(scene)
  await openMembers(page)
  await roleOf(page, cleo.name).click()
  await page.getByRole('menuitem', { name: 'Remove from the organisation' }).click()
  const question = page.getByRole('alertdialog', { name: `Remove ${cleo.name}?` })
  await question.getByText('They are responsible for 1 plan.').waitFor()
  const choice = question.getByLabel('Who takes over?')
  expect(await choice.locator('option').allTextContents()).toEqual([
    `${ada.name} (owner of the organisation)`,
    heir.name,
  ])
  await choice.selectOption(heir.name)
  await question.getByRole('button', { name: 'Remove' }).click()
  await roleOf(page, cleo.name).waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Success plans' }).first().click()
  await planRow(page, plan).click()
  const update = page.locator('article, li').filter({ hasText: 'They signed.' }).first()
  await update.getByText(cleo.name).waitFor()
  await page.getByRole('navigation', { name: 'Parts of this plan' }).getByText('About').click()
  await page.getByText(heir.name).filter({ visible: true }).first().waitFor()
})

longTest(
  'an admin confirms before giving up the role, and then has a member’s options',
  async () => {
    const scene = await createBrowserFixture()
    const { ada, browser, url } = scene
    const cleo = await addMember(scene, 'Cleo Marsh')
    const { user_id = '' } = (await membersFor(ada)).find(({ name }) => name === cleo.name) ?? {}
    await ada.call('PUT', `/api/v1/organisation-users/${user_id}`, { user_id, role: 'admin' })
    const page = await browser.open()
    await signIn(page, url, cleo)
    await waitForOfflineReady(page)
    await openMembers(page)
    await roleOf(page, cleo.name).click()
    await page.getByRole('menuitemradio', { name: /^Member/ }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Become a member' }).click()
    await page.getByText('Only the owner and admins can invite people').waitFor()
    expect(await page.getByRole('button', { name: 'Send invitation' }).count()).toBe(0)
    expect(await roleFor(ada, cleo.name)).toBe('member')
  },
)

longTest(
  'invitations can be sent, repeated and revoked; offline the form keeps its draft and says why',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { ada, browser, network } = scene
    const page = await openPlans(scene)
    await openMembers(page)
    const email = 'ole@example.com'
    await page.getByLabel('Email').fill(ada.email)
    const send = page.getByRole('button', { name: 'Send invitation' })
    await send.click()
    await page.getByRole('link', { name: 'Email: This person is already a member.' }).waitFor()
    await page.getByLabel('Email').fill(email)
    await send.click()
    const row = page.getByRole('list', { name: 'Open invitations' }).getByRole('listitem')
    await row.filter({ hasText: email }).waitFor()
    const first = await mailedLink(scene, email, 'invite')
    await page.getByRole('button', { name: `Send again to ${email}` }).click()
    const second = await waitUntil('another link is mailed', async () => {
      const link = await mailedLink(scene, email, 'invite')
      return link !== first && link
    })

    await network.goDown()
    await page.getByRole('button', { name: /Sync: Offline/ }).waitFor()
    await page.getByLabel('Email').fill('late@example.com')
    await send.focus()
    await page.getByRole('tooltip', { name: /You are offline: this needs a network/ }).waitFor()
    await page.keyboard.press('Enter')
    await waitUntil('the draft is stored', () => isStored(page, 'late@example.com'))
    await network.goUp()
    await page.getByRole('button', { name: /Sync: Offline/ }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Draft restored').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('late@example.com')
    expect(network.requests('POST', /organisation-invites$/).length).toBe(3)

    await page.getByRole('button', { name: `Revoke the invitation for ${email}` }).click()
    await row.filter({ hasText: email }).waitFor({ state: 'detached' })
    const other = await browser.open(second)
    await other
      .getByText(/This invitation is no longer valid|This link is no longer valid/)
      .first()
      .waitFor()
  },
)

longTest('an invitation shows its whole address on a phone', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 360, height: 780 })
  await openMembers(page)
  const email = 'a.colleague.with.a.long.name@customers.northwind-harbour.example'
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const address = page
    .getByRole('list', { name: 'Open invitations' })
    .getByRole('paragraph')
    .filter({ hasText: email })
  await address.waitFor()
  expect(await address.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
})
