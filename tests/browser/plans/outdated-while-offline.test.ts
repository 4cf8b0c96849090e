// A plan read offline may be outdated: it says how old it is, and nothing is missing that is not.
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { longTest } from '../../long-test.ts'

test('a plan read offline says how old it is, and is brought up to date on request', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, unopened } = scene
  const page = await openPlans(scene)
  await page.getByRole('link', { name: unopened.title }).click()
  await page.getByRole('heading', { name: unopened.title, level: 1 }).waitFor()
  await page.getByText(/Up to date · synced/).waitFor()
  await browser.context.setOffline(true)
  await page.getByText(/Offline · as of/).waitFor()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Still offline.').waitFor()
  await ada.postUpdate(unopened, { body: 'The last three sites are live.' })
  await browser.context.setOffline(false)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('The last three sites are live.').waitFor()
  await page.getByText(/Up to date · synced/).waitFor()
})

longTest('a plan made offline does not claim that its updates are not on this device', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await scene.browser.context.setOffline(true)
  await page.getByRole('link', { name: 'New plan' }).first().click()
  await page.getByLabel('Title', { exact: true }).fill('Made in a tunnel')
  await page.getByLabel('Type').selectOption('project')
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('heading', { name: 'Made in a tunnel', level: 1 }).waitFor()
  await page.getByText('No updates yet').waitFor()
  expect(await page.getByText(/not on this device yet/).count()).toBe(0)
})
