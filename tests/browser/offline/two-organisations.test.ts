// Work in two organisations without a network: each has its own records, and nothing shows in the other.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  NOT_INERT,
  SAVED,
  cardIn,
  fillSignIn,
  openPlan,
  planRow,
  post,
  waitForOfflineReady,
  waitForRecords,
} from '../fixtures/app.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const rows = (page: Page) => page.locator(`[data-plan]${NOT_INERT}`)
const choices = (page: Page) => page.getByRole('list', { name: 'Your organisations' })

async function toOrganisation(page: Page, name: string) {
  await page.getByRole('link', { name: /^Organisation: / }).click()
  const choice = choices(page).getByRole('button', { name })
  await choice.waitFor()
  return choice
}

async function openPlansList(page: Page) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Success plans' })
    .click()
  // Home has rows as well.
  await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
  await rows(page).first().waitFor()
}

test('updates written in two organisations reach their own, and neither shows the other’s', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, organisation, plan, server, url } = scene
  const elsewhere = new ApiUser(server.url, scene.founder)
  await elsewhere.signIn()
  const valley = await elsewhere.createOrganisation('Valley Works')
  const theirs = await elsewhere.createPlan({ title: 'Drain the lower field', type: 'project' })

  const page = await browser.open(`${url}/success-plans`)
  await fillSignIn(page, ada)
  await choices(page).getByRole('button', { name: valley.name }).click()
  await planRow(page, theirs).waitFor()
  await waitForOfflineReady(page)
  await (await toOrganisation(page, organisation.name)).click()
  await openPlansList(page)
  await waitUntil('all its plans are listed', async () => (await rows(page).count()) === 3)
  await waitForOfflineReady(page)
  await waitForRecords(scene, page)

  await network.goDown()
  await openPlan(page, plan)
  await post(page, 'Posted on the ridge')
  await cardIn(page, 'Posted on the ridge', SAVED).waitFor()
  await openPlansList(page)
  await page.getByRole('link', { name: 'New plan' }).first().click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Begun on the ridge')

  const other = await toOrganisation(page, valley.name)
  const [here, there] = [choices(page).getByRole('button', { name: organisation.name }), other]
  await here.getByText('1 change waiting to sync').waitFor()
  expect(await there.getByText(/waiting/).count()).toBe(0)
  await there.click()
  // Home says where what waits belongs.
  await page.getByText(`Update of a plan · ${organisation.name}`).waitFor()
  await openPlansList(page)
  const shown = async () => ({
    rows: await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-plan'))),
    bleeding: await page.getByText(/ridge|launch the analytics|harbour/i).count(),
  })
  expect(await shown()).toEqual({ rows: [theirs.id], bleeding: 0 })
  await page.reload()
  await rows(page).first().waitFor()
  expect(await shown()).toEqual({ rows: [theirs.id], bleeding: 0 })
  await page.goto(`${url}/accounts`)
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await page.getByText(/No accounts yet/).waitFor()
  await page.goto(`${url}/success-plans/new`)
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('')
  // The address of a plan of the other organisation shows nothing of it.
  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: /not on this device/, level: 1 }).waitFor()
  expect((await shown()).bleeding).toBe(0)

  await openPlansList(page)
  await openPlan(page, theirs)
  await post(page, 'Posted in the valley')
  await cardIn(page, 'Posted in the valley', SAVED).waitFor()
  await toOrganisation(page, valley.name)
  for (const { name } of [organisation, valley])
    await choices(page)
      .getByRole('button', { name })
      .getByText('1 change waiting to sync')
      .waitFor()

  await network.goUp()
  const posted = () => network.requests('POST', /\/updates$/).map(({ upstream }) => upstream)
  const arrived = async () => [
    (await ada.updatesWithText(plan, 'Posted on the ridge')).length,
    (await elsewhere.updatesWithText(theirs, 'Posted in the valley')).length,
  ]
  await waitUntil('both are sent', () => posted().filter((status) => status === 201).length === 2)
  await waitUntil(
    'nothing is pending',
    async () => (await page.getByText(/waiting to sync/).count()) === 0,
  )
  expect(await arrived()).toEqual([1, 1])
  expect(posted()).toEqual([201, 201])

  // Drafts stay in the organisation where they were begun.
  await choices(page).getByRole('button', { name: organisation.name }).click()
  await openPlansList(page)
  await page.getByRole('link', { name: 'New plan' }).first().click()
  const title = page.getByRole('textbox', { name: 'Title' })
  await waitUntil(
    'the draft is restored',
    async () => (await title.inputValue()) === 'Begun on the ridge',
  )
})
