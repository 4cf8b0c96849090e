// The table of plans as a place to work in: one change of many plans, and a change in a cell.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { chooseFromMenu, openPlans, planRow } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { resize } from '../fixtures/frames.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const HANDED_OVER = 17

/** Seventeen plans of Ada, and a colleague who can take them over. */
async function plansToHandOver() {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada } = scene
  await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
  await addMember(scene, 'Jonas Reed')
  const plans: SuccessPlan[] = []
  for (let at = 1; at <= HANDED_OVER; at += 1)
    plans.push(
      await ada.createPlan({
        account_id: account.id,
        title: `Mooring ${at}`,
        status: at === 3 ? 'planned' : 'in-progress',
      }),
    )
  const page = await openPlans(scene)
  await resize(page, { width: 1280, height: 900 })
  const table = page.getByRole('table', { name: 'Success plans' })
  await waitUntil('all plans are there', async () => {
    return Number(await table.getAttribute('aria-rowcount')) > HANDED_OVER + 3
  })
  return { ...scene, page, plans }
}

const menuItem = (page: Page, name: string | RegExp) =>
  page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name }))

const bar = (page: Page) => page.getByRole('region', { name: 'Selected plans' })

/** How many of the plans belong to someone else than Ada on the server. */
async function handedOver({ ada }: BrowserFixture, plans: readonly SuccessPlan[]) {
  const now = await Promise.all(plans.map((plan) => ada.readPlan(plan)))
  return now.filter((plan, at) => plan.owner_id !== plans[at]?.owner_id).length
}

test('hands over 17 plans offline with four actions, and again after an undo; each arrives once', async () => {
  const scene = await plansToHandOver()
  const { browser, network, page, plans } = scene
  await browser.context.setOffline(true)
  const changed = page.getByText(`Owner of ${HANDED_OVER} plans changed`)

  await page.getByRole('searchbox').fill('Mooring')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await bar(page).getByText(`${HANDED_OVER} selected`).waitFor()
  await bar(page).getByRole('button', { name: 'Owner' }).click()
  await menuItem(page, 'Jonas Reed').click()
  await changed.waitFor()
  const undo = page.getByRole('button', { name: 'Undo' })
  // With the focus it stays.
  await undo.focus()
  await waitUntil('all wait to be sent', async () => {
    const marks = page.getByRole('table').getByText('Not sent yet')
    return (await marks.count()) > 0
  })
  await undo.click()
  await page.getByText(`Undone: ${HANDED_OVER} plans`).waitFor()
  await waitUntil('nothing waits any more', async () => {
    return (await page.getByRole('table').getByText('Not sent yet').count()) === 0
  })

  await bar(page).getByRole('button', { name: 'Owner' }).click()
  await menuItem(page, 'Jonas Reed').click()
  await changed.waitFor()
  // Not before the undo, which is offered for seconds only.
  expect(await axeViolationsNow(page, 'many plans selected')).toEqual([])
  await page.reload()
  const before = network.operations.length
  await browser.context.setOffline(false)
  await waitUntil(
    'all are handed over',
    async () => (await handedOver(scene, plans)) === HANDED_OVER,
  )
  const edits = () => network.operations.slice(before).filter(({ method }) => method === 'PATCH')
  await waitUntil('all are answered', () => edits().length >= HANDED_OVER)
  expect(
    edits()
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(plans.map(({ id }) => `/api/v1/success-plans/${id}`).toSorted())
})

longTest(
  'a cell is edited by keys, the focus returns to it, and a pause asks for its note',
  async () => {
    const { ada, browser, page, plans } = await plansToHandOver()
    const [plan, other, planned] = plans
    if (!plan || !other || !planned) throw new Error('There are too few plans.')
    await browser.context.setOffline(true)
    const row = page.getByRole('row').filter({ has: planRow(page, plan) })

    const status = row.getByRole('button', { name: 'In progress' })
    await status.press('F2')
    await page.locator('[role^=menuitem]:focus').waitFor()
    await page.keyboard.press('Escape')
    await waitUntil('the focus is on the cell again', () =>
      status.evaluate((cell) => cell === document.activeElement),
    )
    await status.press('Enter')
    await chooseFromMenu(page, 'Pause')
    const dialog = page.getByRole('dialog', { name: 'Pause' })
    await dialog.getByLabel('Note').fill('The harbour is closed.')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await row.getByRole('button', { name: 'Paused' }).waitFor()
    await row.getByText('Not sent yet').waitFor()

    await row.getByRole('button', { name: 'No end date' }).click()
    await page.getByLabel('End date', { exact: true }).fill('2031-05-06')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('May 6').waitFor()

    // The plan that is planned cannot be paused: it is named, and stays as it is.
    await planRow(page, other).press('Shift+ArrowDown')
    await bar(page).getByText('2 selected').waitFor()
    await planRow(page, planned).press('Control+Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await menuItem(page, /^Paused/).click()
    const many = page.getByRole('dialog', { name: 'Pause 1 plan' })
    await many.getByText(`${planned.title} (planned)`).waitFor()
    await many.getByLabel('Note').fill('One note for all.')
    await many.getByRole('button', { name: 'Change 1 plan' }).click()
    await page.getByText(`Status of “${other.title}” changed`).waitFor()

    await browser.context.setOffline(false)
    await waitUntil('the changes have arrived', async () => {
      const now = await Promise.all([plan, other, planned].map((one) => ada.readPlan(one)))
      return (
        now.map((one) => one.status).join() === 'paused,paused,planned' &&
        now[0]?.end_date === '2031-05-06'
      )
    })
    expect(await ada.updatesWithText(plan, 'The harbour is closed.')).toHaveLength(1)
    expect(await ada.updatesWithText(other, 'One note for all.')).toHaveLength(1)
  },
)
