// All tabs share one active organisation. When another tab changes it, this tab says so and offers both
// ways, and does not call its plan missing.
import { expect, test } from 'vitest'
import {
  composer,
  fillSignIn,
  openPlan,
  planRow,
  waitForOfflineReady,
  waitForRecords,
} from '../fixtures/app.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

test('a tab offers to switch back or to go on when another tab opens another organisation', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, network, organisation, plan, server, url } = scene
  const elsewhere = new ApiUser(server.url, scene.founder)
  await elsewhere.signIn()
  const valley = await elsewhere.createOrganisation('Valley Works')
  const theirs = await elsewhere.createPlan({ title: 'Drain the lower field', type: 'project' })

  const page = await browser.open(`${url}/success-plans`)
  await fillSignIn(page, ada)
  const choices = page.getByRole('list', { name: 'Your organisations' })
  await choices.getByRole('button', { name: valley.name }).click()
  await planRow(page, theirs).waitFor()
  await waitForOfflineReady(page)
  await page.getByRole('link', { name: /^Organisation: / }).click()
  await choices.getByRole('button', { name: organisation.name }).click()
  // Chosen in this tab, so there is nothing to ask.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Success plans' })
    .click()
  await waitForOfflineReady(page)
  await waitForRecords(scene, page)
  await openPlan(page, plan)
  await composer(page).fill('Half a sentence')
  await network.goDown()

  const other = await browser.open(`${url}/organisations`)
  const switchTo = async (name: string) => {
    await other.goto(`${url}/organisations`)
    await other
      .getByRole('list', { name: 'Your organisations' })
      .getByRole('button', { name })
      .click()
    await other.getByRole('link', { name: `Organisation: ${name}` }).waitFor()
  }
  await switchTo(valley.name)
  await page
    .getByRole('heading', { name: `${valley.name} was opened in another tab` })
    .first()
    .waitFor()
  expect(await page.getByText(/not on this device|does not exist/).count()).toBe(0)
  await page.getByRole('button', { name: `Switch back to ${organisation.name}` }).click()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await waitUntil(
    'the draft is restored',
    async () => (await composer(page).inputValue()) === 'Half a sentence',
  )
  await other.getByText(`${organisation.name} was opened in another tab`).first().waitFor()

  await switchTo(valley.name)
  await page.getByRole('button', { name: `Continue in ${valley.name}` }).click()
  await planRow(page, theirs).waitFor()
  expect(new URL(page.url()).pathname).toBe('/success-plans')
  expect(await page.getByText(/opened in another tab/).count()).toBe(0)
})
