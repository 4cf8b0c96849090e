// The sheet for the customer shows what the team wrote for itself.
import { expect, test } from 'vitest'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'

test('updates and health are on the print sheet only when chosen, and the choice is remembered', async () => {
  const { ada, page, plan, url } = await openPlanFixture()
  await ada.postUpdate(plan, { body: 'They leave unless we show value.', health: 'off-track' })
  await ada.postUpdate(plan, { body: 'Go-live is agreed.' })
  await page.getByText('Go-live is agreed.').first().waitFor()
  await page.goto(`${url}/success-plans/${plan.id}?print`)
  const sheet = page.getByRole('article')
  const onPaper = async (text: string) => await sheet.getByText(text, { exact: true }).isVisible()
  await page.getByText('Updates on the sheet: 0 of').waitFor()
  await page.emulateMedia({ media: 'print' })
  const words = await sheet.innerText()
  expect(words).toContain(plan.title)
  expect(words).not.toMatch(/They leave|Go-live is agreed|Off track|Behind/)

  await page.emulateMedia({ media: 'screen' })
  await page.getByText('Updates on the sheet: 0 of').click()
  await page.getByRole('checkbox', { name: /Go-live/ }).check()
  await page.getByRole('checkbox', { name: 'Health' }).check()
  expect(await axeViolationsOf(page, 'print sheet with its options')).toEqual([])
  await page.waitForFunction(() => document.querySelectorAll('article section').length >= 2)
  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByText('Go-live is agreed.').first().waitFor()
  await page.goto(`${url}/success-plans/${plan.id}?print`)
  await page.getByText('Updates on the sheet: 1 of').waitFor()
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => onPaper('Go-live is agreed.')).toBe(true)
  await expect.poll(() => onPaper('Off track')).toBe(true)
  expect(await sheet.innerText()).not.toContain('They leave')
})
