// The home screen: plans that need an update, actions completed in place, with and without a network.
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { inDays } from '../fixtures/in-days.ts'

test('home lists what needs attention, completes actions offline and links charts to their lists', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada, browser, organisation, plan, unopened } = scene
  const { user_id } = organisation
  const body = { success_plan_id: plan.id, assignee_id: user_id }
  const late = { ...body, title: 'Call Mira back', due_date: inDays(-3) }
  await ada.call('POST', '/api/v1/actions', late)
  await ada.call('POST', '/api/v1/actions', {
    ...body,
    title: 'Book the room',
    due_date: inDays(5),
  })
  const page = await openPlans(scene)
  await page.getByRole('link', { name: 'Cairn, home' }).click()
  await page.getByRole('heading', { name: 'What needs your attention, Ada', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')

  const part = (name: string | RegExp) => page.getByRole('region', { name })
  await part(/^Overdue and urgent/)
    .getByText('Call Mira back')
    .waitFor()
  await part(/^Up next/)
    .getByText('Book the room')
    .waitFor()
  await part(/^At risk, off track or stale/)
    .getByText(unopened.title)
    .waitFor()
  await part(/^Renewals/)
    .getByText(account.name)
    .waitFor()

  // One line each where there is room, two on a phone.
  const row = part(/^Up next/).getByRole('listitem')
  const height = async () => (await row.boundingBox())?.height
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(height).toBeLessThanOrEqual(44)
  await page.setViewportSize({ width: 360, height: 800 })
  await expect.poll(height).toBeGreaterThan(60)

  await browser.context.setOffline(true)
  const tick = page.getByRole('checkbox', { name: 'Done: Call Mira back' })
  await tick.focus()
  await page.keyboard.press('Space')
  await part('Waiting to sync').getByText('Call Mira back').waitFor()
  expect(await tick.isChecked()).toBe(true)
  expect(await tick.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.reload()
  await part(/^Up next/)
    .getByText('Book the room')
    .waitFor()
  await page.getByText('Overdue and urgent').waitFor({ state: 'detached' })

  await browser.context.setOffline(false)
  await part('Waiting to sync').waitFor({ state: 'detached' })
  await waitUntil('the server has it', async () => {
    const { data } = (await ada.call('GET', '/api/v1/actions')) as {
      data: { title: string; status: string }[]
    }
    return data.find(({ title }) => title === late.title)?.status === 'done'
  })

  const share = part('Open plans by health').getByRole('link', { name: /^At risk 1 plan$/ })
  await share.click()
  await page.getByText('1 of 3 plans').waitFor()
  await page.locator(`[data-plan="${unopened.id}"]`).waitFor()
  await page.goBack()
  await part('Plans by status')
    .getByRole('link', { name: /^In progress 2 plans$/ })
    .click()
  await page.getByText('2 of 3 plans').waitFor()
})
