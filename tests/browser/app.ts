// The app as a person uses it: by the words on its screens.
import type { Locator, Page } from 'playwright-core'
import type { SuccessPlan } from '../../contract/success-plans.ts'
import type { ApiUser } from './person.ts'
import type { BrowserFixture } from './scene.ts'
import { waitUntil } from './until.ts'

export const SAVED = 'Saved on this device'
/** In the app itself, and not in the picture of the last time that stands there before it. */
const NOT_INERT = ':not([inert] *)'

/** Fills in the form of `/auth` and sends it. */
export async function fillSignIn(page: Page, person: ApiUser): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  // The screen that one signs out from may have an e-mail field, too.
  const form = page.locator('form').filter({ has: button })
  await form.getByLabel('Email').fill(person.email)
  await form.getByLabel('Password', { exact: true }).fill(person.password)
  await button.click()
}

/** Signs in on the way to the plans, and opens the only organisation. */
export async function signIn(page: Page, url: string, person: ApiUser): Promise<void> {
  await page.goto(`${url}/success-plans`)
  await fillSignIn(page, person)
  await pickOrganisation(page)
}

/** Opens Ada's plans in a new tab, signing her in where she is not, and waits for what the server has. */
export async function openPlans({
  ada,
  browser,
  network,
  usedBefore,
  url,
}: BrowserFixture): Promise<Page> {
  if (!usedBefore) {
    const page = await browser.open()
    await signIn(page, url, ada)
    await waitForOfflineReady(page)
    return page
  }
  const before = network.exchanges.length
  const page = await browser.open(`${url}/success-plans`)
  await waitUntil('what changed is told', () =>
    network.exchanges
      .slice(before)
      .some(({ path, status }) => path.startsWith('/api/v1/changes') && status === 200),
  )
  await waitForOfflineReady(page)
  return page
}

/** Opens the only organisation: at the plans, or at the start and from there to the plans. */
export async function pickOrganisation(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  const start = page.getByRole('heading', { name: /^What needs you/, level: 1 })
  const plans = page.getByRole('heading', { name: 'Success plans', level: 1 })
  await start.or(plans).waitFor()
  if (await start.isVisible())
    await page.getByRole('link', { name: /^(Success plans|Plans)$/ }).click()
  await plans.waitFor()
}

/** Waits until the app would open without a network: the worker in charge, the organisation here. */
export async function waitForOfflineReady(page: Page): Promise<void> {
  await page
    .getByText(/Up to date/)
    .and(page.locator(NOT_INERT))
    .first()
    .waitFor()
  await waitUntil('the worker controls the page', () =>
    page.evaluate(() => navigator.serviceWorker.controller?.state === 'activated'),
  )
}

export const planRow = (page: Page, plan: SuccessPlan): Locator =>
  page.locator(`[data-plan="${plan.id}"]${NOT_INERT}`)

export async function openPlan(page: Page, plan: SuccessPlan): Promise<void> {
  await planRow(page, plan).click()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
}

export const composer = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Update', exact: true })

/** Writes and posts; does not wait for anything. */
export async function post(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.getByRole('button', { name: 'Post update' }).click()
}

/** The card in the feed that says `text`. */
export const card = (page: Page, text: string): Locator =>
  page.getByRole('article').filter({ hasText: text })

/** The card in the feed that says `text`, while its operation is in that state. */
export const cardIn = (page: Page, text: string, state: string): Locator =>
  card(page, text).filter({ hasText: state })

/** Asks to be signed out, in the menu that bears one's name. */
export async function chooseSignOut(page: Page): Promise<void> {
  const item = page.locator('[role=menuitem]', { hasText: 'Sign out' })
  await waitUntil('the menu is answered', async () => {
    // A menu closes when the page scrolls under it, also between two looks at it.
    const isChosen = await item.evaluate((element: HTMLElement) => {
      const isShown = element.checkVisibility()
      if (isShown) element.click()
      return isShown
    })
    if (!isChosen) await page.getByRole('button', { name: /Your menu/ }).click()
    return isChosen
  })
}
