// CSV import and export.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { openPlans, planRow } from '../fixtures/app.ts'
import type { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

/** As Excel in Western Europe saves it: one byte per character, semicolons. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll('€', '\u{80}'), 'latin1')

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer })

async function accountsOf(ada: ApiUser): Promise<Account[]> {
  const { data } = (await ada.call('GET', '/api/v1/accounts?per_page=500')) as { data: Account[] }
  return data
}

longTest('200 accounts are imported offline, completely and once', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser } = scene
  await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
  const page = await openPlans(scene)
  const rows = Array.from({ length: 200 }, (_, at) => `Käserei ${at};€${at}.000,50;31.12.2026`)
  const list = windows1252(
    ['Firma;Company;ARR;Renewal', ...rows.map((row) => `x;${row}`), ''].join('\r\n'),
  )

  await page.getByRole('link', { name: 'Accounts' }).first().click()
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await browser.context.setOffline(true)
  await page.getByRole('button', { name: 'More for this list' }).click()
  await page.getByRole('menuitem', { name: 'Import accounts' }).click()
  await choose(page, 'customers.csv', list)
  await page.getByText('200 accounts can be added').waitFor()
  await page.getByText('Ignored: Firma.').waitFor()
  expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252')
  await page.getByRole('button', { name: 'Add 200 accounts' }).click()
  await page.getByText('200 accounts saved on this device').waitFor()
  await page.getByText('They are sent when you are online.').waitFor()

  // Importing the same file again finds all of them existing, sent or pending.
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, 'customers.csv', list)
  await page.getByText('200 rows already exist, left unchanged').waitFor()
  await browser.context.setOffline(false)
  const imported = await waitUntil(
    'all are sent',
    async () => {
      const accounts = await accountsOf(ada)
      return accounts.length >= 201 && accounts
    },
    180_000,
  )
  expect(imported).toHaveLength(201)
  expect(new Set(imported.map(({ name }) => name)).size).toBe(201)
  expect(imported.find(({ name }) => name === 'Käserei 48')).toMatchObject({
    arr: 48_000.5,
    renewal_date: '2026-12-31',
    currency: 'EUR',
  })
})

test('an import rejects wrong files and rows and names what is wrong', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account } = scene
  const page = await openPlans(scene)
  await page.getByRole('button', { name: 'More for this list' }).click()
  await page.getByRole('menuitem', { name: 'Import plans' }).click()
  await choose(page, 'plans.xlsx', Buffer.from('504b030414000600', 'hex'))
  await page.getByText('This is a workbook.').waitFor()
  await choose(page, 'fax.csv', Buffer.from('Fax,Phone\n1,2'))
  await page.getByText('No column is called “Title”').waitFor()
  const rows = [
    'Title,Account,Owner,Start,End,Progress',
    `Move the archive,${account.name.toUpperCase()},Ada Fell,2026-02-01,2026-12-01,10%`,
    'Nowhere,Southwind,,,,',
    `Backwards,${account.name},,2026-05-01,2026-04-01,`,
    `Renewal review,${account.name},,,,`,
    // The free plan allows ten open plans, and there are three.
    ...Array.from({ length: 8 }, (_, at) => `Filler ${at},${account.name},,,,`),
  ]
  await choose(page, 'plans.csv', Buffer.from(rows.join('\n')))
  await page.getByText('7 plans can be added').waitFor()
  await page.getByText('Account: No account is called “Southwind”').waitFor()
  await page.getByText('End date: The end date must not be before the start date.').waitFor()
  await page.getByText('1 row already exists').waitFor()
  await page.getByText('Title: The Free plan includes 10 open plans.').first().waitFor()
  await page.getByRole('button', { name: 'Add 7 plans' }).click()
  await page.getByText('All rows are sent.').waitFor()
  await page.getByRole('link', { name: 'Show plans' }).click()
  await page.getByRole('link', { name: 'Move the archive' }).waitFor()
})

longTest(
  'a completed plan is imported without an outcome that the list does not name',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { ada, account, browser } = scene
    const page = await openPlans(scene)
    await browser.context.setOffline(true)
    await page.getByRole('button', { name: 'More for this list' }).click()
    await page.getByRole('menuitem', { name: 'Import plans' }).click()
    const rows = [
      'Title,Account,Status,Progress,Outcome',
      `Half,${account.name},Done,70,`,
      `Whole,${account.name},Done,,`,
      `Missed,${account.name},Done,70,Missed`,
    ]
    await choose(page, 'plans.csv', Buffer.from(rows.join('\n')))
    await page.getByRole('button', { name: 'Add 3 plans' }).click()
    await page.getByText('They are sent when you are online.').waitFor()
    await browser.context.setOffline(false)
    await page.getByText('All rows are sent.').waitFor()

    const imported = await waitUntil('the outcomes are sent', async () => {
      const { data } = (await ada.call('GET', '/api/v1/success-plans')) as { data: SuccessPlan[] }
      const ended = data.flatMap(({ title, status, progress, outcome }) =>
        status === 'completed' ? [{ title, progress, outcome }] : [],
      )
      const open = ended.filter(({ outcome }) => outcome === null)
      return ended.length === 3 && open.length === 2 && ended
    })
    expect(imported.toSorted((a, b) => (a.title < b.title ? -1 : 1))).toEqual([
      { title: 'Half', progress: 70, outcome: null },
      { title: 'Missed', progress: 70, outcome: 'missed' },
      { title: 'Whole', progress: 100, outcome: null },
    ])
  },
)

test('the exported list is the list shown, with formulas escaped', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, account, browser, plan } = scene
  const title = '=HYPERLINK("https://evil.example")'
  const formula = await ada.createPlan({ account_id: account.id, title })
  const page = await openPlans(scene)
  await planRow(page, formula).waitFor()
  await browser.context.setOffline(true)
  const exported = async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More for this list' }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^success-plans-\d{4}-\d\d-\d\d\.csv$/)
    return await readFile(await file.path(), 'utf8')
  }
  const all = await exported()
  expect(all.startsWith('\u{FEFF}Title,Type,Account,')).toBe(true)
  expect(all.split('\r\n')).toHaveLength(1 + 4 + 1)
  expect(all).toContain(`"'=HYPERLINK(""https://evil.example"")",customer,${account.name},`)

  await page.getByLabel('Search by title, account or owner').fill('analytics')
  await page.waitForURL(/search=analytics/)
  await page.getByText('1 of 4 plans').waitFor()
  const some = await exported()
  expect(some.split('\r\n')).toHaveLength(1 + 1 + 1)
  expect(some).toContain(plan.title)
})

longTest('an exported plan of a template is made from the same template again', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, account, browser } = scene
  const template = {
    title: 'Onboarding',
    duration_days: 60,
    initiatives: [
      {
        title: 'First steps',
        start_offset_days: 0,
        end_offset_days: 20,
        actions: [{ title: 'Kick-off', due_offset_days: 3 }],
      },
    ],
  }
  const made = (await ada.call('POST', '/api/v1/templates', template)) as { data: { id: string } }
  const first = await ada.createPlan({
    account_id: account.id,
    title: 'Onboard the north',
    template_id: made.data.id,
  })
  const page = await openPlans(scene)
  await planRow(page, first).waitFor()
  await browser.context.setOffline(true)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More for this list' }).click()
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  const list = await readFile(await (await download).path(), 'utf8')
  const unknown = `\r\nOnboard the west,,${account.name},,,,,,,,Offboarding`
  await page.getByRole('button', { name: 'More for this list' }).click()
  await page.getByRole('menuitem', { name: 'Import plans' }).click()
  await choose(
    page,
    'plans.csv',
    Buffer.from(list.replace('Onboard the north', 'Onboard the south').trimEnd() + unknown),
  )
  await page.getByText('Template: No template is called “Offboarding”').waitFor()
  await page.getByRole('button', { name: 'Add 1 plan', exact: true }).click()
  await page.getByText('They are sent when you are online.').waitFor()
  await browser.context.setOffline(false)
  await page.getByText('All rows are sent.').waitFor()

  const { data } = (await ada.call('GET', '/api/v1/success-plans')) as { data: SuccessPlan[] }
  const second = data.find(({ title }) => title === 'Onboard the south')
  expect(second).toMatchObject({ template_id: made.data.id, actions_count: 1 })
  expect([second?.start_date, second?.end_date]).toEqual([first.start_date, first.end_date])
})

test('an update of the app is not imported a second time from a file', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  const written_at = '2026-01-05T10:00:00.123Z'
  await ada.call('POST', `/api/v1/success-plans/${plan.id}/updates`, {
    body: 'Half way.',
    written_at,
  })
  const page = await openPlans(scene)
  await page.getByRole('button', { name: 'More for this list' }).click()
  await page.getByRole('menuitem', { name: 'Import plans' }).click()
  await page.getByRole('link', { name: 'Import past updates' }).click()
  // The screen before has a field for a file, too.
  await page.getByRole('heading', { name: 'Import past updates', level: 1 }).waitFor()
  const row = (text: string) => `${plan.title},${written_at},${text},Ada Fell`
  const file = ['Plan,Date,Text,Author', row('Half way.'), row('Nearly there.')].join('\n')
  await choose(page, 'updates.csv', Buffer.from(file))
  await page.getByText('1 update can be added').waitFor()
  await page.getByText('1 row already exists, left unchanged').waitFor()
})
