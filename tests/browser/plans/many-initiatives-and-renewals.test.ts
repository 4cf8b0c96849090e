// Initiatives and renewals have to be changed one by one, or a change of many of them is lost, is sent twice, or
// cannot be undone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import { waitForOfflineReady } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { inDays } from '../fixtures/in-days.ts'

/** Four initiatives without an owner; the last one is paused. */
async function withInitiatives() {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, plan, url } = scene
  for (const [title, status, end_date] of [
    ['Lay the keel', 'planned', '2031-03-03'],
    ['Raise the mast', 'planned', '2031-03-04'],
    ['Sew the sails', 'planned', '2031-03-05'],
    ['Paint the hull', 'in-progress', '2031-03-06'],
  ])
    await ada.call('POST', '/api/v1/initiatives', {
      title,
      status,
      end_date,
      success_plan_id: plan.id,
    })
  const page = await browser.open(`${url}/initiatives`)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Paint the hull' }).waitFor()
  await waitForOfflineReady(page)
  const read = async () => {
    const { data } = (await ada.call('GET', '/api/v1/initiatives')) as { data: Initiative[] }
    return new Map(data.map((one) => [one.title, one]))
  }
  return { ...scene, page, read }
}

const bar = (page: Page, of: string) => page.getByRole('region', { name: `Selected ${of}` })
const item = (page: Page, name: string) =>
  page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name }))

test('initiatives selected by keys change status and end offline, again after an undo, and arrive once', async () => {
  const { browser, network, page, read } = await withInitiatives()
  await browser.context.setOffline(true)
  const selected = bar(page, 'initiatives')
  await page.getByRole('link', { name: 'Lay the keel' }).focus()
  await page.keyboard.press('x')
  await selected.getByText('1 selected').waitFor()
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowDown')
  await selected.getByText('4 selected').waitFor()

  const undo = page.getByRole('button', { name: 'Undo' })
  const begin = async () => {
    await selected.getByRole('button', { name: 'Status' }).click()
    await item(page, 'In progress (3 of 4)').click()
    const question = page.getByRole('dialog', { name: 'Set 3 initiatives in progress' })
    await question.getByText('Paint the hull (already in progress)').waitFor()
    await question.getByRole('button', { name: 'Change 3 initiatives' }).click()
    await page.getByText('Status of 3 initiatives changed').waitFor()
    // With the focus it stays.
    await undo.focus()
  }
  const planned = page.getByRole('table').locator('[data-row]').filter({ hasText: 'Planned' })
  await begin()
  await expect.poll(() => planned.count()).toBe(0)
  await undo.click()
  await page.getByText('Undone: 3 initiatives').waitFor()
  await expect.poll(() => planned.count()).toBe(3)
  await begin()
  // Not before the undo, which is offered for seconds only.
  expect(await axeViolationsNow(page, 'many initiatives selected')).toEqual([])

  await selected.getByRole('button', { name: 'End date' }).click()
  const end = page.getByRole('dialog', { name: 'End date of 4 initiatives' })
  await end.getByRole('radio', { name: 'Move each one' }).check()
  await end.getByRole('button', { name: 'Change 4 initiatives' }).click()
  await page.getByText('End date of 4 initiatives changed').waitFor()

  const before = network.operations.length
  await browser.context.setOffline(false)
  await waitUntil('all have the new status and end', async () => {
    const after = await read()
    return [...after.values()].every(
      ({ status, end_date }) => status === 'in-progress' && (end_date ?? '') > '2031-03-16',
    )
  })
  // What becomes due together leaves in a batch.
  const edits = () => network.operations.slice(before).filter(({ method }) => method === 'PUT')
  await waitUntil('all are answered', () => edits().length >= 7)
  expect(edits()).toHaveLength(7)
})

test('on a phone a long press selects an initiative, and its health is changed', async () => {
  const { page, read } = await withInitiatives()
  await page.setViewportSize({ width: 360, height: 780 })
  // The table is still there for a moment.
  const row = page
    .getByRole('list', { name: 'Initiatives' })
    .getByRole('link', { name: 'Raise the mast' })
  // What takes it is loaded after the list is shown.
  await waitUntil('the long press is taken', () =>
    row.evaluate((link) => {
      const touch = { bubbles: true, cancelable: true, pointerType: 'touch' }
      return !link.dispatchEvent(new PointerEvent('contextmenu', touch))
    }),
  )
  const selected = bar(page, 'initiatives')
  await selected.getByText('1 selected').waitFor()
  await page.getByText('Sew the sails').click()
  await selected.getByText('2 selected').waitFor()
  expect(await axeViolationsNow(page, 'initiatives with checkboxes')).toEqual([])
  await selected.getByRole('button', { name: 'Health' }).click()
  await item(page, 'At risk').click()
  await page.getByText('Health of 2 initiatives changed').waitFor()
  await selected.getByRole('button', { name: 'Clear selection' }).click()
  await row.waitFor()
  await waitUntil('the health has arrived', async () => {
    const after = await read()
    return after.get('Sew the sails')?.health === 'at-risk'
  })
  expect((await read()).get('Lay the keel')?.health).toBeNull()
})

test('renewals are handed over at once offline, in the table and on a phone, where their menu begins it', async () => {
  const { ada, browser, url } = await createBrowserFixture({ usedBefore: true })
  for (const [name, days] of [
    ['Calm Harbour', 20],
    ['Deep Harbour', 21],
    ['Passed Quay', -3],
  ] as const)
    await ada.createAccount({
      name,
      owner_id: null,
      renewal_date: inDays(days),
    })
  const page = await browser.open(`${url}/?renewals`)
  await page.setViewportSize({ width: 1280, height: 800 })
  const table = page.getByRole('table', { name: 'Renewals' })
  await table.getByRole('rowheader', { name: 'Deep Harbour' }).waitFor()
  await waitForOfflineReady(page)
  await browser.context.setOffline(true)
  const selected = bar(page, 'accounts')
  const chooseOwner = async () => {
    await selected.getByRole('button', { name: 'Owner' }).click()
    await item(page, 'Ada').click()
  }
  // Not `check`: what is pressed before the code of the selection is there is done once it is.
  await page.getByRole('checkbox', { name: 'Select Passed Quay' }).click()
  await page.getByRole('checkbox', { name: 'Select Calm Harbour' }).click({ modifiers: ['Shift'] })
  await selected.getByText('2 selected').waitFor()
  // Its buttons come after its number.
  await selected.getByRole('button', { name: 'Owner' }).waitFor()
  // What becomes of a contract is asked for each renewal.
  expect(await selected.getByRole('button', { name: 'Status' }).count()).toBe(0)
  await chooseOwner()
  await page.getByText('Owner of 2 accounts changed').waitFor()
  expect(await axeViolationsNow(page, 'many renewals selected')).toEqual([])
  await selected.getByRole('button', { name: 'Clear selection' }).click()

  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByRole('button', { name: 'More for this list' }).click()
  await item(page, 'Select renewals').click()
  await page.getByText('Deep Harbour').click()
  await selected.getByText('1 selected').waitFor()
  expect(await axeViolationsNow(page, 'renewals with checkboxes')).toEqual([])
  await chooseOwner()
  await page.getByText('Owner of “Deep Harbour” changed').waitFor()
  await selected.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('link', { name: 'Deep Harbour' }).waitFor()

  await browser.context.setOffline(false)
  await waitUntil('all have an owner', async () => {
    const { data } = (await ada.call('GET', '/api/v1/accounts')) as { data: Account[] }
    return data
      .filter(({ name }) => /^(Calm|Deep|Passed) /.test(name))
      .every(({ owner_id }) => owner_id)
  })
})
