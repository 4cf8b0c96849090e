// The review: plans that need an update, one after another.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { composer, openPlans, post } from '../fixtures/app.ts'
import type { Chromium } from '../fixtures/chromium.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { OUTBOX, readAllStorage } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { inDays } from '../fixtures/in-days.ts'
import { longTest } from '../../long-test.ts'

const NO_CHANGE = 'No change.'

/** Three of Ada's plans need an update: one overdue, one at risk, and one off track that only she works on. */
async function threeToReview() {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada } = scene
  const late = await ada.createPlan({
    account_id: account.id,
    title: 'Hand over the old harbour',
    status: 'in-progress',
    start_date: inDays(-60),
    end_date: inDays(-2),
  })
  const off = await ada.createPlan({
    type: 'project',
    title: 'Write the handbook',
    status: 'in-progress',
    health: 'off-track',
  })
  await ada.postUpdate(late, { body: 'The keys are with **Mira**.' })
  await ada.call('POST', '/api/v1/actions', {
    success_plan_id: late.id,
    title: 'Collect the keys',
    due_date: inDays(-1),
  })
  const page = await openPlans(scene)
  await page.getByRole('link', { name: 'Review', exact: true }).click()
  await page.getByRole('button', { name: 'Review 3 plans' }).waitFor()
  return { ...scene, late, off, page }
}

const shows = (page: Page, title: string) =>
  waitUntil(`“${title}” has the focus`, () =>
    page
      .getByRole('heading', { name: title, level: 2 })
      .evaluate((heading) => heading === document.activeElement),
  )

test('a review works offline, keeps its place and its draft and posts each update once', async () => {
  const { ada, browser, late, off, page, unopened } = await threeToReview()
  await browser.context.setOffline(true)
  await page.getByRole('button', { name: 'Review 3 plans' }).click()

  await shows(page, late.title)
  await page.getByText('The keys are with Mira.').waitFor()
  await page.getByText('Collect the keys', { exact: true }).waitFor()
  await page.keyboard.press('Control+Shift+Enter')
  await page.getByText(`Saved on this device: “${late.title}”`).waitFor()

  // Of two plans at risk, the one with the older last update comes first.
  await shows(page, unopened.title)
  await composer(page).fill('Chapter one')
  // An arrow key in a text field moves the cursor.
  await composer(page).press('ArrowLeft')
  await page.reload()
  await page.getByText('You were at plan 2 of 3.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await shows(page, unopened.title)
  await page.getByText('Draft restored').waitFor()
  await post(page, 'Chapter one is written.')
  await page.getByText(`Saved on this device: “${unopened.title}”`).waitFor()

  await shows(page, off.title)
  await page.keyboard.press('ArrowLeft')
  await shows(page, unopened.title)
  await page.getByText('You wrote: Chapter one is written.').waitFor()
  await page.keyboard.press('ArrowRight')
  await shows(page, off.title)
  await page.keyboard.press('ArrowRight')

  await shows(page, 'Review done')
  await page.getByText('2 updates on 3 plans.').waitFor()
  await page.getByText('2 changes will be sent when you are online.').waitFor()
  await browser.context.setOffline(false)
  await page.getByText('All changes sent.').waitFor()
  expect(await ada.updatesWithText(late, NO_CHANGE)).toMatchObject([{ health: null }])
  expect(await ada.updatesWithText(unopened, 'Chapter one is written.')).toHaveLength(1)
  expect(await ada.updatesWithText(off, NO_CHANGE)).toEqual([])

  await page.getByRole('button', { name: 'Review the 1 skipped plan' }).click()
  await shows(page, off.title)
  await page.getByRole('link', { name: 'Leave review' }).click()
  await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
})

/** A one-finger swipe from there by that many pixels. */
async function swipe(browser: Chromium, page: Page, across: number, from = { x: 180, y: 300 }) {
  const devtools = await browser.context.newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) => {
    const touchPoints = x === undefined ? [] : [{ x, y: from.y }]
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  await touch('touchStart', from.x)
  await touch('touchMove', from.x + across / 2)
  await touch('touchMove', from.x + across)
  await touch('touchEnd')
  await devtools.detach()
}

longTest('swipes move through a review; short ones and those on a slider do not', async () => {
  const { browser, late, page, unopened } = await threeToReview()
  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByRole('button', { name: 'Review 3 plans' }).click()
  await shows(page, late.title)
  await swipe(browser, page, -40)
  await swipe(browser, page, -120)
  await shows(page, unopened.title)
  // On a phone the composer is one line until it has the focus.
  await composer(page).click()
  const progress = page.getByRole('slider', { name: 'Progress' })
  // Playwright clicks only what does not move.
  await progress.click({ trial: true })
  const slider = await progress.boundingBox()
  if (!slider) throw new Error('There is no slider.')
  await swipe(browser, page, -120, { x: slider.x + 150, y: slider.y + slider.height / 2 })
  // Away from the fields.
  await page.evaluate(() => scrollTo(0, 0))
  await swipe(browser, page, 120)
  await shows(page, late.title)
  await waitUntil('the review fits a phone', () =>
    page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement
      return scrollWidth <= clientWidth
    }),
  )
})

const noChange = (page: Page, label: string) =>
  page.getByRole('button', { name: label, exact: true })

longTest(
  'the quick step keeps the health of the plan and can be undone until it is sent',
  async () => {
    const { ada, browser, late, off, page, unopened } = await threeToReview()
    // Offline, so that nothing is sent while a busy machine takes its time.
    await browser.context.setOffline(true)
    await page.getByRole('button', { name: 'Review 3 plans' }).click()
    await shows(page, late.title)
    await page.keyboard.press('ArrowRight')
    await shows(page, unopened.title)
    await noChange(page, 'No change, at risk').click()
    await shows(page, off.title)
    await noChange(page, 'No change, off track').click()
    await shows(page, 'Review done')
    await page.getByRole('button', { name: `Undo the last step on “${off.title}”` }).click()
    await shows(page, off.title)
    await page.getByText(`Undone: “${off.title}”`).waitFor()
    await page.getByRole('button', { name: `Undo the last step on “${unopened.title}”` }).waitFor()

    // A reload within the delay keeps the step.
    await page.reload()
    await page.getByRole('button', { name: 'Continue' }).click()
    await shows(page, off.title)
    await page.getByRole('button', { name: 'Back on track' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Back on track' }).click()
    await dialog.getByText('Say in a sentence what has changed.').waitFor()
    await dialog.getByLabel('Note').fill('The sponsor is back.')
    await dialog.getByRole('button', { name: 'Back on track' }).click()
    await shows(page, 'Review done')
    await browser.context.setOffline(false)
    await page.getByText('All changes sent.').waitFor()
    expect(await ada.updatesWithText(off, 'No change, off track.')).toEqual([])
    expect(await ada.updatesWithText(off, 'The sponsor is back.')).toMatchObject([
      { health: 'on-track' },
    ])
    expect(await ada.updatesWithText(unopened, 'No change, at risk.')).toMatchObject([
      { health: null },
    ])
  },
)

longTest('a step that the sync centre discards in another tab leaves the summary', async () => {
  const { ada, browser, late, off, page, unopened } = await threeToReview()
  await browser.context.setOffline(true)
  await page.getByRole('button', { name: 'Review 3 plans' }).click()
  await shows(page, late.title)
  await noChange(page, 'No change').click()
  await page.getByRole('button', { name: `Undo the last step on “${late.title}”` }).waitFor()
  const other = await browser.context.newPage()
  await other.goto(new URL('/success-plans', page.url()).href)
  await other.getByRole('button', { name: /^Sync/ }).click()
  const discard = other.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true })
  await discard.click()
  await discard.waitFor({ state: 'detached' })
  await other.close()
  await shows(page, unopened.title)
  await noChange(page, 'No change, at risk').click()
  await shows(page, off.title)
  await page.keyboard.press('ArrowRight')
  await page.getByText('1 update on 3 plans.').waitFor()
  // Nothing is left that would be sent later.
  const { [OUTBOX]: outbox } = await readAllStorage(page)
  expect(outbox).not.toContain(NO_CHANGE)
  await browser.context.setOffline(false)
  await page.getByText('All changes sent.').waitFor()
  expect(await ada.updatesWithText(unopened, 'No change, at risk.')).toHaveLength(1)
  expect(await ada.updatesWithText(late, NO_CHANGE)).toEqual([])
})

longTest(
  'actions, dates, status and owner are changed in the run, and the summary tells them',
  async () => {
    const { ada, late, page } = await threeToReview()
    const end = inDays(20)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Review 3 plans' }).click()
    await shows(page, late.title)
    await page.getByLabel('Due date of “Collect the keys”').fill(inDays(5))
    await page.getByLabel('Due date of “Collect the keys”').press('Enter')
    await page.getByText(/Saved on this device: Collect the keys: due/).waitFor()
    await page.getByLabel('End date').fill(inDays(-90))
    await page.getByLabel('End date').press('Enter')
    await page.getByText(/Enter a date from/).waitFor()
    await page.getByLabel('End date').fill(end)
    await page.getByLabel('End date').press('Enter')
    await page.getByText(/Saved on this device: Ends/).waitFor()
    await page.getByRole('checkbox', { name: 'Done: Collect the keys' }).click()
    await page.getByText('Saved on this device: Done: Collect the keys').waitFor()
    await page.getByRole('button', { name: 'Change status' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('They move house.')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Status: in progress → paused. They move house.').waitFor()
    await page.getByRole('heading', { name: late.title, level: 2 }).waitFor()
    for (const name of ['Next', 'Skip', 'Finish'])
      await page.getByRole('button', { name, exact: true }).click()

    await shows(page, 'Review done')
    await page.getByText('Needs someone').waitFor()
    await page.getByRole('button', { name: 'Copy summary' }).click()
    await page.getByText('Summary copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(new RegExp(`- ${late.title}: .*; Done: Collect the keys;`))
    expect(copied).toContain('- Write the handbook: Off track')
    const mail = await page.getByRole('link', { name: 'Email summary' }).getAttribute('href')
    expect(mail).toMatch(/^mailto:\?subject=Review%20of/)
    await page.getByRole('button', { name: 'Post summary to a plan' }).click()
    const choice = page.getByRole('dialog').getByLabel('Plan')
    // Two plans may have the same title.
    expect((await choice.locator('option').allTextContents()).join()).toMatch(
      /harbour · \W*Northwind/,
    )
    await choice.selectOption('Write the handbook')
    await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByText('All changes sent.').waitFor()
    expect(await ada.readPlan(late)).toMatchObject({
      status: 'paused',
      end_date: end,
    })
  },
)
