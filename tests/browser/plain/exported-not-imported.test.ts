// What the app exports in front of a server of the specification it does not take back: work of a team stays behind.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { PlainApi } from '../../plain-server/plain-api.ts'
import type { PlainRecord, Table } from '../../plain-server/plain-records.ts'
import { ORIGIN } from '../fixtures/chromium.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { signedIn } from './signed-in.ts'
import { longTest } from '../../long-test.ts'

const STATUSES = ['planned', 'in-progress', 'paused', 'completed', 'cancelled']

/** Gives the plans every status, and two of them one title; adds the organisation South, and returns its records. */
function prepare(api: PlainApi) {
  const [ana] = api.users
  const plans = api.records.tables['success-plans']
  if (!ana) throw new Error('There is no user.')
  for (const [at, plan] of plans.entries())
    Object.assign(plan, { status: STATUSES[at % STATUSES.length], title: `Plan ${at || 1}` })
  const south = api.addOrganisation(ana, 'South')
  const of = (table: Table) =>
    api.records.tables[table].filter((one) => one.organisation_id === south.id)
  return { north: [...plans], of }
}

/** Opens the plans as they are prepared. What the device may have stored before has a “Plan 20”. */
async function openPrepared(page: Page): Promise<void> {
  await page.goto(`${ORIGIN}/success-plans`)
  await page.getByText('Plan 19', { exact: true }).first().waitFor()
  await page.getByText('Plan 20', { exact: true }).first().waitFor({ state: 'detached' })
}

const wordsOf = (plans: readonly PlainRecord[]) =>
  plans.map(({ title, status }) => `${String(title)}: ${String(status)}`).toSorted()

async function download(page: Page, start: () => Promise<void>): Promise<Buffer> {
  const file = page.waitForEvent('download')
  await start()
  return await readFile(await (await file).path())
}

async function openSouth(page: Page, path: string): Promise<void> {
  await page.goto(`${ORIGIN}/organisations`)
  const choices = page.getByRole('list', { name: 'Your organisations' })
  await choices.getByRole('button', { name: /^South/ }).click()
  await page.getByRole('link', { name: 'Organisation: South' }).first().waitFor()
  await page.goto(ORIGIN + path)
}

/** Waits until the plans are there with their statuses. */
const waitForPlans = (of: (table: Table) => PlainRecord[], plans: readonly PlainRecord[]) =>
  waitUntil('the plans have arrived', () => {
    const words = new Set(wordsOf(of('success-plans')))
    return wordsOf(plans).every((one) => words.has(one))
  })

test('plans of every status, two of them with one title, come back by CSV, each once', async () => {
  const { api, page } = await signedIn({})
  const { north, of } = prepare(api)
  api.records.tables.accounts.push({
    ...api.records.tables.accounts[0],
    id: '77',
    organisation_id: '2',
  })
  await openPrepared(page)
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'More for this list' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const csv = await download(page, () => menu('Export as CSV'))
  await openSouth(page, '/success-plans?import')
  const file = { name: 'plans.csv', mimeType: 'text/csv', buffer: csv }
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByRole('button', { name: `Add ${north.length} plans` }).click()
  await waitForPlans(of, north)
  expect(wordsOf(of('success-plans'))).toEqual(wordsOf(north))
})

/** A browser at the plans of South, which has one plan, of the account Harbour with the id 77. */
async function signedInWithSouth() {
  const scene = await signedIn({})
  const { of } = prepare(scene.api)
  const { accounts, 'success-plans': plans } = scene.api.records.tables
  const south = { organisation_id: '2', account_id: '77', id: '77' }
  accounts.push({ ...accounts[0], ...south, name: 'Harbour' })
  plans.push({ ...plans[0], ...south, title: 'Own plan' })
  return { ...scene, of }
}

const exportPlans = (page: Page) =>
  download(page, async () => {
    await page.getByText('Own plan', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'More for this list' }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  })

longTest(
  'plans exported while their accounts are still being read have the names of those, and one toast',
  async () => {
    const { browser, page } = await signedInWithSouth()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await browser.context.route(/\/api\/v1\/accounts\?/, async (route) => {
      await released
      await route.continue()
    })
    await openSouth(page, '/success-plans')
    const csv = exportPlans(page)
    const waiting = page.getByText('Waiting for the names of accounts and people')
    await waiting.waitFor()
    release()
    expect((await csv).toString()).toMatch(/Own plan,customer,Harbour,/)
    await page.getByText('1 plan exported').waitFor()
    expect(await waiting.count()).toBe(0)
  },
)

longTest(
  'plans whose accounts cannot be read are exported with the id, and the rest is said',
  async () => {
    const { api, of, page } = await signedInWithSouth()
    api.refuse({ path: /\/accounts$/ }, 503)
    await openSouth(page, '/success-plans')
    const csv = await exportPlans(page)
    await page.getByText('1 plan exported. Not everything has been downloaded').waitFor()
    expect(csv.toString()).toMatch(/Own plan,customer,77,/)
    expect(of('accounts')).toHaveLength(1)
  },
)

longTest(
  'rows of a list are validated only when the accounts that they name have been read',
  async () => {
    const { browser, page } = await signedInWithSouth()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await browser.context.route(/\/api\/v1\/accounts\?/, async (route) => {
      await released
      await route.continue()
    })
    await openSouth(page, '/success-plans?import')
    const buffer = Buffer.from('Title,Type,Account\nAnother plan,customer,Harbour\n')
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'plans.csv', mimeType: 'text/csv', buffer })
    await page.getByText('Reading the accounts, people and plans').waitFor({ state: 'attached' })
    expect(await page.getByText('No account is called').count()).toBe(0)
    release()
    await page.getByRole('button', { name: 'Add 1 plan' }).waitFor()
  },
)

longTest('an archive of an organisation comes back in another one, each record once', async () => {
  const { api, page } = await signedIn({})
  const { north, of } = prepare(api)
  await openPrepared(page)
  await page.goto(`${ORIGIN}/settings/organisation/general`)
  const archive = await download(page, () =>
    page.getByRole('button', { name: 'Export organisation' }).click(),
  )
  const folder = await mkdtemp(join(tmpdir(), 'cairn-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'north.cairn.zip')
  await writeFile(path, archive)
  const choose = async () => {
    await page.goto(`${ORIGIN}/settings/organisation/general`)
    await page.getByRole('link', { name: 'Import an archive' }).click()
    await page.getByLabel('Archive', { exact: true }).setInputFiles(path)
  }
  await openSouth(page, '/')
  await choose()
  await page.getByRole('button', { name: /^Add \d+ records$/ }).click()
  await waitForPlans(of, north)
  await waitUntil('the actions have arrived', () => of('actions').length > 0)
  expect(wordsOf(of('success-plans'))).toEqual(wordsOf(north))
  expect([of('accounts').length, of('initiatives').length, of('actions').length]).toEqual([2, 1, 1])
  await choose()
  await page.getByText('Everything in this archive is here already.').waitFor()
})
