// A row of the phone's list: few elements, so that scrolling is fast, and everything that it tells is read out.
import { expect, test } from 'vitest'
import { openPlans, planRow } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'

/** The link, and one element for each of the eight things that a row tells. */
const ELEMENTS = 9

test('a row has an element for each thing that it tells, and a screen reader hears all of them', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada } = scene
  const year = new Date().getUTCFullYear()
  const plan = await ada.createPlan({
    account_id: account.id,
    title: 'Roll out to all sites',
    status: 'in-progress',
    health: 'at-risk',
    start_date: `${year - 1}-01-01`,
    end_date: `${year + 1}-12-31`,
  })
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 412, height: 915 })
  const row = page.getByRole('listitem').filter({ has: planRow(page, plan) })
  await row.waitFor()
  const heard = await row.ariaSnapshot()
  // The share of the time depends on the day.
  expect(heard.replace(/\d+% of/, '50% of')).toBe(
    `- listitem:
  - link "Roll out to all sites ${account.name} in progress At risk Dec 31 0%, 50% of the time gone Behind 0%":
    - /url: /success-plans/${plan.id}
    - text: Roll out to all sites ${account.name} in progress At risk
    - time: Dec 31
    - progressbar "Progress of Roll out to all sites"
    - text: Behind 0%`,
  )
  expect(await row.locator('*').count()).toBe(ELEMENTS)
})
