// The path through all screens for pictures: first each screen in its normal state, then its other
// states.
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../../../server/demo/stories.ts'
import {
  chooseSignOut,
  cardIn,
  pickOrganisation,
  post,
  waitForOfflineReady,
  SAVED,
} from '../fixtures/app.ts'
import type { Chromium } from '../fixtures/chromium.ts'
import type { FaultProxy } from '../fixtures/fault-proxy.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

export interface ScreenCapture {
  page: Page
  browser: Chromium
  network: FaultProxy
  url: string
  /**
   * Takes pictures of the open screen in every colour scheme and size, under that name. `open` opens what
   * does not outlive a change of size.
   */
  picture: (screen: string, open?: () => Promise<void>) => Promise<void>
}

export const JSON_TYPE = { 'content-type': 'application/json' }
/** The records that the screens show. */
export const RECORDS = /^\/api\/v1\/(changes|success-plans|accounts)/
const PLANS_FILE = {
  name: 'plans.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('Title,Type,Progress\nRoll out the north,project,0\nWrong,nowhere,400'),
}
export const SETTINGS = {
  profile: 'profile',
  notifications: 'notifications',
  organisation: 'organisation/general',
  members: 'organisation/members',
  billing: 'organisation/billing',
  plans: 'organisation/plans',
}

/** Waits until nothing on the screen says that it is loading; several lists may. */
export const waitForLoaded = (page: Page) =>
  waitUntil('the screen is loaded', async () => {
    const loading = page.getByRole('status').filter({ hasText: /^Loading/ })
    return (await loading.count()) === 0
  })

/** The actions at each step of the path. */
export function stepsOf({ page, url }: ScreenCapture) {
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const at = async (path: string) => {
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const closeDialog = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const isLoaded = () => waitForLoaded(page)
  const signIn = async () => {
    await page.getByLabel('Email').fill(DEMO_PEOPLE[0].email)
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await button('Sign in').click()
  }
  return { button, at, closeDialog, isLoaded, signIn }
}

/** From the sign-in through every screen; ends signed in. */
export async function captureLoadedScreens(stage: ScreenCapture): Promise<void> {
  const { page, network, picture } = stage
  const { button, at, closeDialog, isLoaded, signIn } = stepsOf(stage)
  await page.getByLabel('Email').waitFor()
  await picture('sign-in')
  const repair = network.injectFault({ path: /^\/oauth/ }, { kind: 'lost' })
  await signIn()
  await page
    .getByText(/You are offline|did not answer/)
    .first()
    .waitFor()
  await picture('sign-in-failed')
  repair()
  await at('/auth?forgotten')
  await picture('forgotten-password')
  await at('/auth/registration')
  await picture('registration')
  await at('/auth')
  await signIn()
  await page.getByRole('list', { name: 'Your organisations' }).waitFor()
  await picture('organisations')

  // Nothing is on the device yet, and the server fails, then is slow.
  const body = JSON.stringify({ message: 'Server error.' })
  const failure = { kind: 'answered', status: 500, headers: JSON_TYPE, body } as const
  const recover = network.injectFault({ method: 'GET', path: RECORDS }, failure)
  await pickOrganisation(page)
  await button('Try again').waitFor()
  await picture('plans-failed')
  recover()
  const release = network.hold({ method: 'GET', path: RECORDS })
  await at('/success-plans')
  await page
    .getByRole('status')
    .filter({ hasText: /^Loading/ })
    .waitFor()
  await picture('plans-loading')
  release()
  await waitForOfflineReady(page)

  await at('/')
  await page.getByRole('heading', { name: 'Open plans by health' }).waitFor()
  await picture('home')
  await button('Search and commands').click()
  await page.getByRole('option', { name: 'View success plans' }).waitFor()
  await picture('palette')
  await page.getByRole('combobox').fill('renewal')
  await page.getByText('Search results').waitFor()
  await picture('palette-results')
  await closeDialog()

  await at('/success-plans')
  await page.locator('[data-plan]').first().waitFor()
  await picture('plans')
  const plan = `/success-plans/${await page.locator('[data-plan]').first().getAttribute('data-plan')}`
  await at('/success-plans?search=nothing+like+it')
  await picture('plans-no-match')
  await at('/success-plans?review')
  await button(/^Review \d/).waitFor()
  await picture('review-choice')
  await button(/^Review \d/).click()
  await button('No change').waitFor()
  await picture('review')
  await at('/success-plans?import')
  await page.getByLabel('CSV file').setInputFiles(PLANS_FILE)
  await page.getByText('1 plan can be added').waitFor()
  await picture('import')
  await at('/success-plans/new')
  await picture('new-plan')
  await button('Create plan').click()
  await page.getByText('Please fix the following').waitFor()
  await picture('new-plan-errors')
  await at(`${plan}?edit`)
  await picture('plan-edit')
  await at(`${plan}?print`)
  await picture('plan-print')
  await at(`${plan}?show=initiatives`)
  await picture('plan-initiatives')
  await at(plan)
  await picture('plan')

  await at('/initiatives')
  await page.locator('a[data-initiative]').first().click()
  await button(/^Edit “/).waitFor()
  await picture('initiatives')
  await picture('action', async () => {
    await button(/^Edit “/).click()
    await page.getByRole('dialog').waitFor()
  })
  await closeDialog()
  await at('/accounts')
  const account = page.getByRole('main').locator('a[href^="/accounts/"]').first()
  await account.waitFor()
  await picture('accounts')
  await account.click()
  await page.waitForURL(/\/accounts\/.+/)
  await picture('account')
  await at('/accounts?new')
  await picture('new-account')
  await at('/templates')
  await page.getByRole('article').first().getByRole('button').first().click()
  await picture('templates')
  await at('/templates?new')
  await picture('new-template')
  for (const [name, path] of Object.entries(SETTINGS)) {
    await at(`/settings/${path}`)
    await isLoaded()
    await picture(`settings-${name}`)
  }
  await at('/onboarding')
  await page.getByLabel('Job title').waitFor()
  await picture('onboarding')
  await at('/no/such/place')
  await picture('not-found')
}

/** Loading, failed, forbidden, pending, offline; ends offline. */
export async function captureOtherStates(stage: ScreenCapture): Promise<void> {
  const { page, browser, network, picture } = stage
  const { button, at, closeDialog } = stepsOf(stage)
  await at('/success-plans')
  const plan = page.locator('[data-plan]').first()
  const path = `/success-plans/${await plan.getAttribute('data-plan')}`

  await at(path)
  const rejection = { message: 'Invalid.', errors: { body: ['Name the customer.'] } }
  network.injectFault(
    { method: 'POST', path: /\/updates$/ },
    { kind: 'answered', status: 422, headers: JSON_TYPE, body: JSON.stringify(rejection) },
    1,
  )
  await post(page, 'The steering group has met.')
  await cardIn(page, 'The steering group', 'Needs attention').waitFor()
  await picture('plan-needs-attention')
  await browser.context.setOffline(true)
  await post(page, 'Written on the train back.')
  await cardIn(page, 'Written on the train', SAVED).waitFor()
  await picture('plan-pending')
  await picture('sync-panel', async () => {
    await button(/Sync: /).click()
    await page.getByRole('dialog', { name: 'Sync' }).waitFor()
  })
  await closeDialog()
  await picture('this-device', async () => {
    await button(/Your menu/).click()
    await page.getByRole('menuitem', { name: 'This device' }).click()
    await page.getByText('Stored here').waitFor()
  })
  await closeDialog()
  await picture('sign-out', async () => {
    await chooseSignOut(page)
    await page.getByRole('alertdialog').waitFor()
  })
  await page.keyboard.press('Escape')
  await at('/success-plans')
  await page.getByText(/Offline · as of/).waitFor()
  await picture('plans-offline')
  await at('/')
  await picture('home-offline')
  await at('/success-plans/01900000-0000-7000-8000-000000000000')
  await picture('plan-not-here')
  await at('/settings/organisation/members')
  await picture('settings-members-offline')
}
