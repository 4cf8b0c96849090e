// Saved views and groups are out of reach on a phone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'

const openSheet = async (page: Page) => {
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByRole('combobox', { name: 'Group by' }).waitFor()
}

test('on a phone the sheet of filters groups each list, and saves, opens and deletes views', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  await ada.call('POST', '/api/v1/initiatives', {
    title: 'Lay the keel',
    success_plan_id: plan.id,
  })
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 360, height: 780 })
  for (const [path, group, heading] of [
    ['/success-plans', 'Status', /^In progress/],
    ['/accounts', 'Owner', /^(Ada|No owner)/],
    ['/initiatives', 'Plan', /Northwind Harbour/],
    ['/?renewals', 'Risk', /^(At risk|No known risk)/],
  ] as const) {
    await page.goto(url + path)
    await openSheet(page)
    expect(await page.getByRole('dialog').getByText('columns').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Group by' }).selectOption(group)
    await page.getByLabel('Name of the view').fill(`My ${group}`)
    await page.getByRole('button', { name: 'Save view' }).click()
    const view = page.getByRole('dialog').getByRole('link', { name: `My ${group}` })
    await view.waitFor()
    expect(await axeViolationsNow(page, `the sheet of ${path}`)).toEqual([])
    await page.getByRole('button', { name: /^Show / }).click()
    const first = page.getByRole('heading', { level: 2, name: heading }).first()
    await first.waitFor()
    // One line, however long.
    expect((await first.boundingBox())?.height).toBeLessThan(40)
    expect(await axeViolationsNow(page, `groups of ${path}`)).toEqual([])

    await page.goto(url + path)
    await openSheet(page)
    await view.click()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Group by' }).inputValue())
      .toBe(group.toLowerCase())
    await page.getByRole('button', { name: `Delete “My ${group}”` }).click()
    await view.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Show / }).click()
    await first.waitFor()
  }
})
