// The main jobs in front of a server with nothing beyond the specification: each write is sent once.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PlainApi } from '../../plain-server/plain-api.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { waitForWorker } from '../fixtures/app.ts'
import { ORIGIN } from '../fixtures/chromium.ts'
import { storedIn } from '../fixtures/previous-app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { nothingWaits, signedIn, signIn } from './signed-in.ts'
import { longTest } from '../../long-test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** By HEAD the app asks whether the server answers at all. */
const READS = new Set(['GET', 'HEAD'])

/** Method and path of all writes, in their order, without those that an expired token kept from any effect. */
const writes = (api: PlainApi) =>
  api.requests
    .filter(({ method, path }) => !READS.has(method) && path.startsWith('/api/'))
    .filter(({ status }) => status !== 401)
    .map(({ method, path }) => `${method} ${path.slice('/api/v1/'.length)}`)

/** What a start reads. */
const LISTS = ['success-plans', 'accounts', 'initiatives', 'actions', 'organisation-users']

const refreshes = (api: PlainApi) =>
  api.seen('POST', /token$/).filter(({ body }) => body?.includes('"refresh_token"'))

interface Asked {
  /** Method and address. */
  what: string
  /** On the page's clock, in epoch milliseconds. */
  at: number
}

/** In the page: notes what is asked of another origin than its own, which is the API. */
function noteAsked() {
  const asked: Asked[] = []
  const ask = window.fetch
  window.fetch = (input, init) => {
    const { method = 'GET', url } =
      input instanceof Request ? input : { method: init?.method, url: String(input) }
    const { href, origin } = new URL(url, location.href)
    if (origin !== location.origin) asked.push({ what: `${method} ${href}`, at: Date.now() })
    return ask(input, init)
  }
  Object.assign(window, { asked })
}

async function openMenu(page: Page, title: string, item: string): Promise<void> {
  await button(page, `More for “${title}”`).click()
  await page.getByRole('menuitem', { name: item }).filter({ visible: true }).click()
}

async function retitle(page: Page, title: string, next: string): Promise<void> {
  await openMenu(page, title, 'Edit')
  await page.getByLabel('Title', { exact: true }).fill(next)
  await button(page, 'Save changes').click()
  await heading(page, next).waitFor()
}

longTest(
  'a tick, a pause, an edit and a deletion are one write each, also with an expired token',
  async () => {
    const { api, page } = await signedIn({})
    const plan = api.records.tables['success-plans'][0]
    await page.goto(`${ORIGIN}/success-plans/1?show=initiatives`)
    await page.getByRole('button', { name: /^First step/ }).click()
    await page.getByRole('checkbox', { name: 'Done: First action' }).click()
    await waitUntil('the tick has arrived', () => api.records.tables.actions[0]?.status === 'done')

    api.tokens.expireAll()
    const before = refreshes(api).length
    await button(page, 'Change status').click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('They move house.')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await waitUntil('the pause has arrived', () => plan?.status === 'paused')
    await nothingWaits(page)
    expect(refreshes(api)).toHaveLength(before + 1)

    await retitle(page, 'Plan 1', 'A new title')
    await waitUntil('the title has arrived', () => plan?.title === 'A new title')
    await nothingWaits(page)
    await openMenu(page, 'A new title', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await heading(page, 'Success plans').waitFor()
    await page.getByText('Plan 2', { exact: true }).first().waitFor()
    expect(await page.getByText('A new title', { exact: true }).count()).toBe(0)
    await waitUntil(
      'the deletion has arrived',
      () => !api.records.tables['success-plans'].includes(plan!),
    )
    expect(writes(api)).toEqual([
      'PUT actions',
      'POST success-plans/1/updates',
      'PATCH success-plans/1',
      'PATCH success-plans/1',
      'DELETE success-plans/1',
    ])
  },
)

longTest('a title that someone else changed as well is asked about before it is sent', async () => {
  const { api, browser, page } = await signedIn({})
  const plan = api.records.tables['success-plans'][0]
  if (!plan) throw new Error('There is no plan.')
  await page.getByText('Plan 1', { exact: true }).first().click()
  await heading(page, 'Plan 1').waitFor()
  await waitForWorker(page)
  await browser.context.setOffline(true)
  // Before the edit: the worker of a page that is offline in a test may send.
  Object.assign(plan, { title: 'Their title', description: 'Their text.' })
  await retitle(page, 'Plan 1', 'My title')
  await browser.context.setOffline(false)
  const conflict = page.getByRole('form', { name: /^Title was changed by someone else/ })
  await conflict.getByText('Their title', { exact: true }).waitFor()
  expect(writes(api)).toEqual([])
  await conflict.getByRole('radio', { name: /^Use mine/ }).check()
  await conflict.getByRole('button', { name: 'Save my choice' }).click()
  await waitUntil('my title has arrived', () => plan.title === 'My title')
  await conflict.waitFor({ state: 'detached' })
  await nothingWaits(page)
  expect(writes(api)).toEqual(['PATCH success-plans/1'])
  expect(plan.description).toBe('Their text.')
})

longTest(
  'what the server cannot take is tried 6 times in a minute and 40 times in an hour, and a page at rest asks 4 times a minute',
  async () => {
    const { api, page } = await signedIn({})
    await page.clock.install()
    await page.addInitScript(noteAsked)
    const readBefore = api.requests.length
    await page.goto(`${ORIGIN}/success-plans/1`)
    await page.getByText('Kick-off of plan 1.').waitFor()
    const open = new Set<object>()
    page.on('request', (one) => open.add(one))
    page.on('requestfinished', (one) => open.delete(one))
    page.on('requestfailed', (one) => open.delete(one))
    /**
     * Lets at least that time pass on the page. In steps of seconds: a request that is on its way is given up after
     * 20 s on the clock of the page.
     */
    const pass = async (seconds: number, step: number) => {
      for (let passed = 0; passed < seconds; passed += step) {
        await page.clock.runFor(step * 1_000)
        await waitUntil('all requests are answered', () => open.size === 0)
      }
    }
    /** When the page asked its API, by its own clock, which on a busy machine goes on between two steps as well. */
    const timesOf = async (pattern: RegExp) => {
      const asked = await page.evaluate(() => (window as unknown as { asked: Asked[] }).asked)
      return asked.filter(({ what }) => pattern.test(what)).map(({ at }) => at)
    }
    const countFrom = (from: number, seconds: number, times: number[]) =>
      times.filter((at) => at >= from && at < from + seconds * 1_000).length
    // What is on the screen was stored before: the reading of the start may begin after minutes on the page's clock.
    await waitUntil('the lists are read', () => {
      const read = new Set(api.requests.slice(readBefore).map((one) => one.path))
      return LISTS.every((name) => read.has(`/api/v1/${name}`))
    })
    // It is over then, and the next one is a quarter of an hour later.
    await pass(120, 5)
    const from = await page.evaluate(() => Date.now())
    await pass(6 * 60, 5)
    const times = await timesOf(/^/)
    const atRest = [0, 1, 2, 3, 4, 5].map((minute) => countFrom(from + minute * 60_000, 60, times))
    expect(Math.max(...atRest)).toBeLessThanOrEqual(4)
    expect(Math.max(...atRest)).toBeGreaterThan(0)

    const edits = /^PATCH .*success-plans/
    const end = api.refuse({ method: 'PATCH', path: /success-plans/ }, 503)
    await retitle(page, 'Plan 1', 'A new title')
    await waitUntil('it was tried', () => api.seen('PATCH', /success-plans/).length > 0)
    await pass(60, 1)
    await pass(59 * 60, 10)
    const tries = await timesOf(edits)
    const [first = 0] = tries
    const inMinute = countFrom(first, 60, tries)
    expect(inMinute).toBeGreaterThan(2)
    expect(inMinute).toBeLessThanOrEqual(6)
    const inHour = countFrom(first, 60 * 60, tries)
    expect(inHour).toBeGreaterThan(12)
    expect(inHour).toBeLessThanOrEqual(40)
    end()
  },
)

test('the lists are downloaded page by page, opened offline after a kill, and what was done there is sent once', async () => {
  const { api, page, restart } = await signedIn({})
  await page.getByText('Plan 20', { exact: true }).first().waitFor()
  await waitForWorker(page)
  await page.goto(`${ORIGIN}/success-plans/1`)
  await page.getByText('Kick-off of plan 1.').waitFor()
  const pages = api.seen('GET', /success-plans$/).map(({ url }) => url)
  expect(pages.some((url) => url.includes('page=2'))).toBe(true)

  const offline = await restart('/success-plans', { isOffline: true })
  await offline.getByText('Plan 20', { exact: true }).first().waitFor()
  // As a crash can lose it.
  await offline.evaluate(() => localStorage.removeItem('config'))
  await offline.reload()
  await offline.getByText('Plan 1', { exact: true }).first().click()
  await offline.getByText('Kick-off of plan 1.').waitFor()
  await offline.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
  await button(offline, 'Post update').click()
  // The worker of a page that is offline in a test may have sent it already.
  await offline.getByRole('article').filter({ hasText: 'They signed.' }).waitFor()
  await retitle(offline, 'Plan 1', 'From the train')

  await offline.context().setOffline(false)
  await waitUntil('both have arrived', () => writes(api).length >= 2)
  await nothingWaits(offline)
  expect(writes(api)).toEqual(['POST success-plans/1/updates', 'PATCH success-plans/1'])
  const online = await restart('/success-plans/1')
  await heading(online, 'From the train').waitFor()
  await online.getByText('They signed.').waitFor()
  await nothingWaits(online)
  expect(writes(api)).toHaveLength(2)
})

longTest(
  'a tick, a pause and a deletion made offline survive a kill of the browser, and are one write each',
  async () => {
    const { api, page, restart } = await signedIn({})
    const { tables } = api.records
    const [plan, other] = tables['success-plans']
    await waitForWorker(page)
    await page.goto(`${ORIGIN}/success-plans/1?show=initiatives`)
    await page.getByRole('button', { name: /^First step/ }).click()
    // Initiatives and actions are on the device.
    await page.getByRole('checkbox', { name: 'Done: First action' }).waitFor()
    const before = await restart('/success-plans/1?show=initiatives', { isOffline: true })
    await before.getByRole('button', { name: /^First step/ }).click()
    await before.getByRole('checkbox', { name: 'Done: First action' }).click()
    await button(before, 'Change status').click()
    await before.getByRole('menuitem', { name: 'Pause' }).click()
    const dialog = before.getByRole('dialog')
    await dialog.getByLabel('Note').fill('They move house.')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    // It closes when the pause is saved. The worker may have sent the tick already, as above.
    await dialog.waitFor({ state: 'detached' })
    await before.goto(`${ORIGIN}/success-plans/2`)
    await openMenu(before, 'Plan 2', 'Delete')
    await before.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await heading(before, 'Success plans').waitFor()

    const after = await restart('/success-plans')
    await waitUntil('the tick has arrived', () => tables.actions[0]?.status === 'done')
    await waitUntil('the pause has arrived', () => plan?.status === 'paused')
    await waitUntil('the deletion has arrived', () => !tables['success-plans'].includes(other!))
    await nothingWaits(after)
    expect(await after.getByText('Plan 2', { exact: true }).count()).toBe(0)
    expect(writes(api).toSorted()).toEqual([
      'DELETE success-plans/2',
      'PATCH success-plans/1',
      'POST success-plans/1/updates',
      'PUT actions',
    ])
  },
)

longTest(
  'an update whose answer was lost is not sent again when the database is lost as well',
  async () => {
    const { api, page, plain, restart } = await signedIn({})
    await page.goto(`${ORIGIN}/success-plans/1`)
    await page.getByText('Kick-off of plan 1.').waitFor()
    plain.loseAnswers({ method: 'POST', path: /updates$/ })
    // Or the app could find it before the kill, and nothing would have to come back.
    let end: () => void = () => undefined
    api.onWrite = () => {
      end = api.refuse({ method: 'GET', path: /updates$/ }, 503)
    }
    await page.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
    await button(page, 'Post update').click()
    await waitUntil('it has arrived', () => writes(api).length === 1)
    const again = await restart('/success-plans/1', { isDatabaseLost: true })
    end()
    await again.getByText(/The browser lost the data of this app/).waitFor()
    // Without localStorage and the database there is no session.
    await signIn(again)
    await again.getByText('They signed.').first().waitFor()
    await nothingWaits(again)
    expect(writes(api)).toEqual(['POST success-plans/1/updates'])
  },
)

/** Posts an update, and loads the page again before the update can be read back. */
async function postAndReload(answers: PlainOptions['writes']): Promise<void> {
  const { api, page } = await signedIn({ writes: answers })
  await page.goto(`${ORIGIN}/success-plans/1`)
  await page.getByText('Kick-off of plan 1.').waitFor()
  let end: () => void = () => undefined
  api.onWrite = () => {
    end = api.refuse({ method: 'GET', path: /updates$/ }, 503)
  }
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
  await button(page, 'Post update').click()
  const card = page.getByRole('article').filter({ hasText: 'They signed.' })
  await card.waitFor()
  // It is postponed when its answer is stored.
  await waitUntil('its answer is stored', async () =>
    (await storedIn<Operation>(page, 'operations')).some(({ not_before }) => not_before > 0),
  )
  await page.reload()
  // Still on the screen before the server shows it.
  await card.waitFor()
  end()
  await nothingWaits(page)
  expect(writes(api)).toEqual(['POST success-plans/1/updates'])
  const updates = api.records.tables.updates.filter(
    ({ success_plan_id }) => success_plan_id === '1',
  )
  expect(updates.map(({ body }) => body)).toEqual(['Kick-off of plan 1.', 'They signed.'])
  expect(await card.count()).toBe(1)
}

test('an update that is answered with 204 is posted once, also when the page is loaded again before it is read back', () =>
  postAndReload('empty'))

longTest('so is one that is answered with a message', () => postAndReload('message'))

test('a tick, a new plan, an edit and a deletion whose answers are lost are one write each', async () => {
  const { api, page, plain } = await signedIn({})
  const { tables } = api.records
  await page.goto(`${ORIGIN}/success-plans/1?show=initiatives`)
  await page.getByRole('button', { name: /^First step/ }).click()
  plain.loseAnswers({ method: 'PUT', path: /actions$/ })
  await page.getByRole('checkbox', { name: 'Done: First action' }).click()
  await waitUntil('the tick has arrived', () => tables.actions[0]?.status === 'done')
  await nothingWaits(page)

  await page.goto(`${ORIGIN}/success-plans/new`)
  await page.getByLabel('Title', { exact: true }).fill('Dry feet')
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Account 2' })
  plain.loseAnswers({ method: 'POST', path: /success-plans$/ })
  await button(page, 'Create plan').click()
  await heading(page, 'Dry feet').waitFor()
  await page.waitForURL(/success-plans\/21/)
  await nothingWaits(page)

  plain.loseAnswers({ method: 'PATCH', path: /success-plans\/21$/ })
  await retitle(page, 'Dry feet', 'Dry shoes')
  await waitUntil(
    'the title has arrived',
    () => tables['success-plans'].at(-1)?.title === 'Dry shoes',
  )
  await nothingWaits(page)

  plain.loseAnswers({ method: 'DELETE', path: /success-plans\/21$/ })
  await openMenu(page, 'Dry shoes', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'Success plans').waitFor()
  await waitUntil(
    'the deletion has arrived',
    () => !tables['success-plans'].some(({ id }) => id === '21'),
  )
  await nothingWaits(page)
  expect(writes(api)).toEqual([
    'PUT actions',
    'POST success-plans',
    'PATCH success-plans/21',
    'DELETE success-plans/21',
  ])
})
