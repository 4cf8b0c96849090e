// The states that the documents do not show: every screen without a network, with dialogs and panels open,
// with questions, and in a new organisation while it loads, fails and is empty.
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '../../../server/demo/stories.ts'
import { cardIn, chooseFromMenu, post, SAVED } from '../fixtures/app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { JSON_TYPE, RECORDS, SETTINGS, stepsOf, type ScreenCapture } from './capture-screens.ts'

const ROUTES: Record<string, string> = {
  home: '/',
  renewals: '/?renewals',
  plans: '/success-plans',
  review: '/success-plans?review',
  import: '/success-plans?import',
  'new-plan': '/success-plans/new',
  accounts: '/accounts',
  initiatives: '/initiatives',
  templates: '/templates',
  'new-template': '/templates?new',
  ...Object.fromEntries(
    Object.entries(SETTINGS).map(([name, path]) => [`settings-${name}`, `/settings/${path}`]),
  ),
  archive: '/settings/organisation/general?import',
  onboarding: '/onboarding',
  organisations: '/organisations',
}

/** Begins offline, as `captureOtherStates` ends; ends in an empty organisation. */
export async function captureMoreStates(stage: ScreenCapture): Promise<void> {
  const { page, browser, picture } = stage
  const { button, at } = stepsOf(stage)
  for (const [name, path] of Object.entries(ROUTES)) {
    await at(path)
    await picture(`${name}-offline`)
  }
  await at('/accounts')
  await page.getByRole('main').locator('a[href^="/accounts/"]').first().click()
  await page.waitForURL(/\/accounts\/.+/)
  await picture('account-offline')

  await browser.context.setOffline(false)
  await at('/success-plans')
  await discardRejected(page)
  await capturePlans(stage)
  await at('/?renewals')
  await button(/^Record outcome/).waitFor()
  await picture('renewals')
  await picture(
    'renewal-outcome',
    opening(page, () => button(/^Record outcome/).click()),
  )
  await captureQuestions(stage)
  await captureNewOrganisation(stage)
}

/** A dialog that is opened again in each size. */
const opening = (page: Page, open: () => Promise<void>) => async () => {
  await open()
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor()
}

/** What the pictures before have left rejected. */
export async function discardRejected(page: Page): Promise<void> {
  await page.locator('[data-plan]').first().waitFor()
  await page.getByText(/^Up to date/).waitFor()
  await page.getByRole('button', { name: /Sync: / }).click()
  const discard = page.getByRole('dialog').getByRole('button', { name: 'Discard' })
  await discard.click()
  await discard.waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('[data-plan]').first().waitFor()
  await page.getByText(/^Up to date/).waitFor()
}

async function capturePlans(stage: ScreenCapture): Promise<void> {
  const { page, picture } = stage
  const { button, at, closeDialog } = stepsOf(stage)
  const desk = { width: 1280, height: 800 }
  const opened = async (name: string, panel: string) => {
    await picture(`plans-${name}`, async () => {
      // On a phone it is a sheet, which covers its own button.
      await at('/success-plans')
      await page.locator('[data-plan]').first().waitFor()
      const shown = page.getByRole('button', { name: panel, exact: true })
      if (!(await shown.isVisible())) return
      if ((await shown.getAttribute('aria-expanded')) !== 'true') await shown.click()
    })
    await page.setViewportSize(desk)
  }
  await opened('filter', 'Filter')
  await opened('display', 'Display')
  await opened('views', 'Saved views')
  await at('/success-plans')
  await page.locator('[data-plan]').first().waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('region', { name: 'Selected plans' }).waitFor()
  await picture('plans-selected')
  await page.setViewportSize(desk)
  await at('/success-plans')
  await page.locator('[data-plan]').first().press('Space')
  await page.getByRole('complementary', { name: /^Preview of/ }).waitFor()
  await picture('plans-preview')
  await page.setViewportSize(desk)
  await picture(
    'shortcuts',
    opening(page, () => page.keyboard.press('?')),
  )
  await closeDialog()
  const plan = await page.locator('[data-plan]').first().getAttribute('data-plan')
  await at(`/success-plans/${plan}?show=about`)
  await picture('plan-about')
  await at(`/success-plans/${plan}`)
  await picture(
    'plan-delete',
    opening(page, () => chooseDelete(page)),
  )
  await closeDialog()
  await at('/accounts')
  await page.setViewportSize(desk)
  await page.getByRole('rowheader').getByRole('link').first().press('Space')
  await page.getByRole('complementary', { name: /^Preview of/ }).waitFor()
  await picture('accounts-preview')
  await page.setViewportSize(desk)
  await at('/accounts')
  await page
    .getByRole('checkbox', { name: /^Select [^a]/ })
    .first()
    .check()
  await page.getByRole('region', { name: 'Selected accounts' }).waitFor()
  await picture('accounts-selected')
  await at('/success-plans?group=owner')
  await picture('plans-grouped')
  await at('/success-plans?review')
  await button(/^Review \d/).click()
  for (;;) {
    const skip = button(/^Skip/)
    if (!(await skip.isVisible())) break
    await skip.click()
  }
  await button('Finish').click()
  await button('Copy summary').waitFor()
  await picture('review-summary')
}

async function chooseDelete(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click()
  await chooseFromMenu(page, 'Delete')
}

/** An edit that a colleague crossed, and a deletion of what a colleague has changed. */
async function captureQuestions(stage: ScreenCapture): Promise<void> {
  const { page, browser, picture, url } = stage
  const { at, button } = stepsOf(stage)
  // A phone shows the slider only once the composer is open.
  await page.setViewportSize({ width: 1280, height: 800 })
  await at('/success-plans?view=all')
  const rows = page.locator('[data-plan]')
  await rows.nth(2).waitFor()
  const [asked = '', deleted = ''] = await rows.evaluateAll((all) =>
    all.slice(1, 3).map((row) => row.getAttribute('data-plan') ?? ''),
  )
  await at(`/success-plans/${asked}`)
  await page.getByRole('slider', { name: 'Progress' }).waitFor()
  await browser.context.setOffline(true)
  await page.getByRole('slider', { name: 'Progress' }).fill('60')
  const text = 'The sponsor approved the budget.'
  await post(page, text)
  await cardIn(page, text, SAVED).waitFor()
  await at(`/success-plans/${deleted}`)
  await chooseDelete(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.locator(`[data-plan="${asked}"]`).waitFor()
  await picture('plans-pending')
  const organisation = await page.evaluate(() => localStorage.getItem('active_organisation'))
  const { id } = JSON.parse(organisation ?? '{}') as { id: string }
  const update = { body: 'Legal signed off on the terms.', progress: 75 }
  for (const plan of [asked, deleted]) await postAsColleague(url, id, plan, update)
  await browser.context.setOffline(false)
  await at(`/success-plans/${asked}`)
  await page.getByRole('form', { name: /^Progress/ }).waitFor()
  await picture('question', async () => {
    await page.getByRole('form', { name: /^Progress/ }).evaluate((form) => {
      form.scrollIntoView({ block: 'center' })
    })
  })
  await page.setViewportSize({ width: 1280, height: 800 })
  const keep = page.getByRole('dialog', { name: 'Sync' }).getByRole('button', { name: 'Keep it' })
  await picture('question-of-deletion', async () => {
    await button(/Sync: /).click()
    await keep.evaluate((last) => last.scrollIntoView({ block: 'end' }))
  })
  await keep.click()
  await page.keyboard.press('Escape')
}

/** While it loads, when the server fails, and with nothing in it. */
async function captureNewOrganisation(stage: ScreenCapture): Promise<void> {
  const { page, network, picture } = stage
  const { button, at, isLoaded } = stepsOf(stage)
  const release = network.hold({ method: 'GET', path: RECORDS })
  await at('/organisations')
  await button('New organisation').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Harbour Works')
  await picture('new-organisation')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitUntil('the new organisation is active', () =>
    page.evaluate(() => (localStorage.getItem('active_organisation') ?? '').includes('Harbour')),
  )
  const lists = ['home', 'renewals', 'accounts', 'initiatives', 'templates']
  for (const name of lists) {
    await at(ROUTES[name] ?? '')
    await picture(`${name}-loading`)
  }
  release()
  const body = JSON.stringify({ message: 'Server error.' })
  const recover = network.injectFault(
    { method: 'GET', path: /^\/api\/v1\// },
    { kind: 'answered', status: 500, headers: JSON_TYPE, body },
  )
  for (const name of [...lists, 'settings-members', 'settings-billing', 'settings-profile']) {
    await at(ROUTES[name] ?? '')
    await isLoaded()
    await picture(`${name}-failed`)
  }
  recover()
  for (const [name, path] of Object.entries(ROUTES)) {
    await at(path)
    await isLoaded()
    await picture(`${name}-empty`)
  }
}

/** Posts an update from another device. */
export async function postAsColleague(
  url: string,
  organisation_id: string,
  plan: string,
  update: object,
): Promise<void> {
  const request = async (path: string, body?: object, headers?: Record<string, string>) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as Record<string, never>
  }
  const { clientId: client_id, clientSecret: client_secret } = await request('/config.json')
  const { access_token } = await request('/oauth/token', {
    grant_type: 'password',
    username: 'jonas@example.com',
    password: DEMO_PASSWORD,
    client_id,
    client_secret,
    scope: '',
  })
  await request(`/api/v1/success-plans/${plan}/updates`, update, {
    Authorization: `Bearer ${String(access_token)}`,
    'X-organisation': organisation_id,
  })
}
