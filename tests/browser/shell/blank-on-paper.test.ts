// A screen is blank on paper, because what it is about is a form or a row that is a button.
import { expect, test } from 'vitest'
import { composer, openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { addMember } from '../fixtures/member-fixture.ts'

test('fields of forms, rows and cells are printed; commands, icons and the composer are not', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, account, plan, url } = scene
  const bob = await addMember(scene, 'Bob Tarn')
  const initiative = await ada.call('POST', '/api/v1/initiatives', {
    title: 'Connect the data',
    success_plan_id: plan.id,
  })
  expect(initiative).toMatchObject({ data: { title: 'Connect the data' } })
  await ada.call('POST', '/api/v1/templates', { title: 'Ninety days', duration_days: 90 })
  const title = `Roll out ${'the new way of working '.repeat(5)}everywhere`
  await ada.call('POST', '/api/v1/success-plans', { title, account_id: account.id })
  const page = await openPlans(scene)
  // The width of an A4 page between its margins.
  await page.setViewportSize({ width: 680, height: 1_000 })
  const printed = async (path: string, ...texts: (string | RegExp)[]) => {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const text of texts)
      await page
        .locator('main')
        .getByText(text)
        .or(page.getByLabel(text))
        .filter({ visible: true })
        .first()
        .waitFor()
    const icons = page.locator('main button > svg:only-child:visible')
    expect([path, await icons.count()]).toEqual([path, 0])
  }
  await printed('/settings', 'Profile', 'Members')
  await printed('/settings/profile', 'Job title')
  await printed('/settings/organisation/general', 'Website')
  await printed('/settings/organisation/members', bob.name, /^Member$/)
  await printed('/organisations', 'Ridge and Partners')
  await printed('/initiatives', 'Connect the data')
  await printed('/templates', 'Ninety days')
  await printed('/success-plans', plan.title, 'In progress', 'At risk', title)
  // On paper in landscape the list is a table.
  await page.setViewportSize({ width: 1_000, height: 680 })
  await page.getByRole('table').waitFor()
  const cut = await page.locator('main [data-row] *').evaluateAll((all) =>
    all
      // What only screen readers read has one pixel.
      .filter((one) => getComputedStyle(one).overflow !== 'visible' && one.clientWidth > 1)
      .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
      .map((one) => one.textContent),
  )
  expect(cut).toEqual([])
  await page.setViewportSize({ width: 680, height: 1_000 })
  await printed('/success-plans/new', 'Success criteria')
  await printed(`/accounts/${account.id}?edit`, 'Industry')
  await printed(`/success-plans/${plan.id}?show=initiatives`, 'Connect the data')
  await printed(
    `/success-plans/${plan.id}`,
    plan.title,
    'From spreadsheets to one shared workspace.',
  )
  expect(await composer(page).isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: 'Refresh' }).isVisible()).toBe(false)
})
