// The app as a person uses it: by the words on its screens.
import type { Locator, Page } from 'playwright-core'
import type { SuccessPlan } from '../../contract/success-plans.ts'
import type { Person } from './person.ts'
import { until } from './until.ts'

export const SAVED = 'Saved on this device'

/** Fills in the form of `/auth` and sends it. */
export async function fillSignIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in at the app's front door, and opens the only organisation. */
export async function signIn(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(url)
  await fillSignIn(page, person)
  await pickOrganisation(page)
}

export async function pickOrganisation(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
}

/** Waits until the app would open without a network: the worker in charge, the organisation here. */
export async function readyForTheAir(page: Page): Promise<void> {
  await page
    .getByText(/Up to date/)
    .first()
    .waitFor()
  await until('the worker controls the page', () =>
    page.evaluate(() => navigator.serviceWorker.controller?.state === 'activated'),
  )
}

export const planRow = (page: Page, plan: SuccessPlan): Locator =>
  page.locator(`[data-plan="${plan.id}"]`)

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

/** Everything that the page could read of this origin's storage, as one text. */
export async function everythingStored(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const stored: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)]
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('It does not open.'))
      })
      for (const table of database.objectStoreNames) {
        const rows = database.transaction(table).objectStore(table)
        const [keys, values] = [rows.getAllKeys(), rows.getAll()]
        await new Promise((resolve) => {
          values.onsuccess = resolve
        })
        stored.push([name, table, keys.result, values.result])
      }
      database.close()
    }
    return JSON.stringify(stored)
  })
}
