// The app of the build before, by the words on its own screens, which never change; and the change from it
// to the build of these sources.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { SuccessPlan } from '../../contract/success-plans.ts'
import { buildApp } from './build-app.ts'
import type { Person } from './person.ts'
import { until } from './until.ts'

/** The new worker is fetched, installed, and found to wait. Milliseconds. */
const INSTALLED_WITHIN = 60_000

/** Signs in, opens the only organisation and its plans, and waits until all of it is on the device. */
export async function signInBefore(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(`${url}/success-plans`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first().click()
  await page.getByRole('heading', { name: /^(What needs you|Success plans)/, level: 1 }).waitFor()
  await page
    .getByText(/Up to date/)
    .first()
    .waitFor()
  await until('the worker controls the page', () =>
    page.evaluate(() => navigator.serviceWorker.controller?.state === 'activated'),
  )
}

export async function openPlanBefore(page: Page, url: string, plan: SuccessPlan): Promise<void> {
  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
}

/** Types an update, and leaves it unposted. */
export const draftBefore = (page: Page, text: string): Promise<void> =>
  page.getByRole('textbox', { name: 'Update', exact: true }).fill(text)

export async function postBefore(page: Page, text: string): Promise<void> {
  await draftBefore(page, text)
  await page.getByRole('button', { name: 'Post update' }).click()
  const card = page.getByRole('article').filter({ hasText: text })
  await card.filter({ hasText: 'Saved on this device' }).waitFor()
}

/** Fills in the title in the form of a plan that is open, and saves it. */
export async function saveTitleBefore(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title)
  await page.getByRole('button', { name: /^(Save changes|Create plan)$/ }).click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

/** Signs out where nothing waits to be sent. */
export async function signOutBefore(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

const MARK = 'present'

/** Builds these sources so that a page tells by which build it runs: two builds may be the same. */
export async function buildPresent(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-present-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const append = `document.documentElement.dataset['build'] = '${MARK}'\n`
  return await buildApp(folder, [{ file: 'src/main.tsx', append }])
}

/** Whether the page runs the build of `buildPresent`; false while it is being loaded. */
export const runsPresent = (page: Page): Promise<boolean> =>
  page
    .evaluate((mark) => document.documentElement.dataset['build'] === mark, MARK)
    .catch(() => false)

/** Waits until the build before offers the present one, which the server has by now, and accepts it. */
export async function acceptUpdate(page: Page): Promise<void> {
  await page.getByText('A new version is ready').waitFor({ timeout: INSTALLED_WITHIN })
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await until('the present build runs', () => runsPresent(page))
}

/** All values of a store of the device's database. */
export const storedIn = <T>(page: Page, store: string): Promise<T[]> =>
  page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('cairn')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The database did not open.'))
    })
    const values = await new Promise<unknown[]>((resolve, reject) => {
      const request = database.transaction(name).objectStore(name).getAll()
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The store was not read.'))
    })
    database.close()
    return values as T[]
  }, store)
