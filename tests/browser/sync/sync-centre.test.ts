// The sync centre and the device screen: pending operations can be discarded and restored, rejected ones
// offer an action, and stored data can be exported or cleared without losing an operation.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PLAN_LIMIT_REACHED } from '../../../contract/values.ts'
import {
  chooseSignOut,
  card,
  cardIn,
  composer,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  waitForOfflineReady,
  waitForRecords,
  SAVED,
} from '../fixtures/app.ts'
import { isStored } from '../fixtures/readable-storage.ts'
import {
  expectSentOnce,
  openPlanFixture,
  UPDATES_PATH,
  type OpenPlanFixture,
} from '../fixtures/open-plan-fixture.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TEXT = 'Go-live agreed for the first of the month.'
const JSON_TYPE = { 'content-type': 'application/json' }

async function openSync(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sync status' }).click()
  return page.getByRole('dialog', { name: 'Sync' })
}

async function openDevice(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'This device' }).click()
  const sheet = page.getByRole('dialog', { name: 'This device' })
  await sheet.getByText('Stored here').waitFor()
  return sheet
}

/** Posted offline, so that it waits. */
async function withPendingUpdate(scene: OpenPlanFixture): Promise<OpenPlanFixture> {
  const { browser, page } = scene
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  return scene
}

test('a discarded operation can be restored and is then sent once', async () => {
  const scene = await withPendingUpdate(await openPlanFixture())
  const { browser, network, page } = scene
  const panel = await openSync(page)
  await panel.getByRole('button', { name: 'Discard' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  // With the focus it stays.
  await undo.focus()
  await panel.getByText('Everything is synced.').waitFor()
  await card(page, TEXT).waitFor({ state: 'detached' })
  await undo.click()
  await panel.getByText(TEXT).waitFor()
  await page.keyboard.press('Escape')
  await cardIn(page, TEXT, SAVED).waitFor()
  await browser.context.setOffline(false)
  await expectSentOnce(scene, page, TEXT)
  const accepted = network.requests('POST', UPDATES_PATH).filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(1)
  const sent = await openSync(page)
  await sent
    .getByRole('list', { name: 'Sent in the last 14 days' })
    .getByText(/Launch/)
    .waitFor()
})

longTest('a discarded operation is neither sent nor reported as sent', async () => {
  const { ada, browser, network, page, plan } = await withPendingUpdate(await openPlanFixture())
  await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
  await card(page, TEXT).getByRole('button', { name: 'Discard' }).click()
  await card(page, TEXT).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sync: Offline. Show details' }).waitFor()
  await browser.context.setOffline(false)
  const shown = await Promise.race([
    page
      .getByRole('button', { name: /Sync: All changes sent/ })
      .waitFor()
      .then(
        () => 'all sent',
        () => '',
      ),
    page
      .getByRole('button', { name: /Sync:/ })
      .waitFor({ state: 'detached' })
      .then(() => 'nothing'),
  ])
  expect(shown).toBe('nothing')
  await page.reload()
  await composer(page).waitFor()
  expect(network.requests('POST', UPDATES_PATH)).toEqual([])
  expect(await ada.updatesWithText(plan, TEXT)).toEqual([])
})

longTest('reports that all changes were sent after a reconnect', async () => {
  const { browser, page } = await withPendingUpdate(await openPlanFixture())
  await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
  await browser.context.setOffline(false)
  await page.getByRole('button', { name: /Sync: All changes sent/ }).waitFor()
  await page.getByRole('button', { name: /Sync:/ }).waitFor({ state: 'detached' })
})

test('a rejection states why and what to do, and can be sent again', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  const refuse = (status: number, body: object) =>
    network.injectFault(
      { method: 'POST', path: UPDATES_PATH },
      { kind: 'answered', status, headers: JSON_TYPE, body: JSON.stringify(body) },
      1,
    )
  refuse(403, { message: 'You may not do this.' })
  await post(page, TEXT)
  const refused = card(page, TEXT)
  await refused.getByText(/You may not do this in Ridge and Partners/).waitFor()
  await refused.getByText(/Ask an admin of the organisation/).waitFor()

  refuse(403, { message: 'The free plan allows no more.', code: PLAN_LIMIT_REACHED })
  await refused.getByRole('button', { name: 'Send again' }).click()
  await refused.getByText(/The free plan allows no more/).waitFor()
  await refused.getByRole('link', { name: 'See pricing' }).waitFor()

  refuse(422, { message: 'Invalid.', errors: { 'Idempotency-Key': ['It was used.'] } })
  await refused.getByRole('button', { name: 'Send again' }).click()
  const sendAsNew = refused.getByRole('button', { name: 'Send as new' })
  await sendAsNew.waitFor()
  const before = network.requests('POST', UPDATES_PATH).at(-1)?.key
  await sendAsNew.click()
  await expectSentOnce(scene, page, TEXT)
  expect(network.requests('POST', UPDATES_PATH).at(-1)?.key).not.toBe(before)
})

longTest('the text of an update stays within reach when its plan was deleted', async () => {
  const { ada, browser, page, plan } = await withPendingUpdate(await openPlanFixture())
  await ada.call('DELETE', `/api/v1/success-plans/${plan.id}`)
  await browser.context.setOffline(false)
  await page.getByRole('button', { name: /Sync: Needs attention/ }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await panel.getByText(/This plan has been deleted/).waitFor()
  await panel.getByText(TEXT).waitFor()
  expect(await panel.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  await panel.getByRole('button', { name: 'Discard' }).click()
  await panel.getByText('Everything is synced.').waitFor()
})

longTest('pending text can be saved as a file', async () => {
  const { page } = await withPendingUpdate(await openPlanFixture())
  const sheet = await openDevice(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Save as a text file' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^cairn-unsent-\d{4}-\d\d-\d\d\.txt$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain('Update on “Launch the analytics workspace”')
  expect(text).toContain(TEXT)
})

longTest(
  'clearing cached records keeps pending operations and downloads the plans again',
  async () => {
    const scene = await withPendingUpdate(await openPlanFixture())
    const { browser, network, page, unopened } = scene
    const hold = network.hold({ method: 'POST', path: UPDATES_PATH })
    let sheet = await openDevice(page)
    const clear = sheet.getByRole('button', { name: 'Clear downloaded data' })
    await sheet.getByText(/^3 plans · \d updates · 1 account$/).waitFor()
    expect(await clear.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await browser.context.setOffline(false)
    const pulls = network.requests('GET', /changes\?since=0/).length
    sheet = await openDevice(page)
    await waitUntil(
      'there is a network',
      async () => (await clear.getAttribute('aria-disabled')) === null,
    )
    await clear.click()
    await sheet.getByText('The open organisation is downloaded again straight away').waitFor()
    await sheet.getByRole('button', { name: 'Clear now' }).click()
    await network.waitForRequests('GET', /changes\?since=0/, pulls + 1)
    await page.keyboard.press('Escape')
    await card(page, TEXT).waitFor()
    hold()
    await expectSentOnce(scene, page, TEXT)
    await page.getByRole('link', { name: 'Success plans' }).first().click()
    await planRow(page, unopened).waitFor()
    // The list may show what it knew before.
    await waitForRecords(scene, page)
    await browser.context.setOffline(true)
    await page.reload()
    await planRow(page, unopened).waitFor()
  },
)

longTest('Send now tells until when the server asked to wait', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  const repair = network.injectFault(
    { method: 'POST', path: UPDATES_PATH },
    {
      kind: 'answered',
      status: 503,
      headers: { ...JSON_TYPE, 'retry-after': '90' },
      body: '{"message":"Busy."}',
    },
  )
  await post(page, TEXT)
  await network.waitForRequests('POST', UPDATES_PATH)
  await cardIn(page, TEXT, SAVED).waitFor()
  const panel = await openSync(page)
  await panel.getByRole('button', { name: 'Send now' }).click()
  await page.getByText(/The server is busy and asked to wait until \d\d:\d\d\./).waitFor()
  expect(network.requests('POST', UPDATES_PATH)).toHaveLength(1)
  repair()
})

longTest('the note of a transition survives a reload', async () => {
  const { page } = await openPlanFixture()
  const ask = async () => {
    await page.getByRole('button', { name: 'Change status' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    return page.getByRole('dialog').getByLabel('Note')
  }
  await (await ask()).fill('Their budget is frozen.')
  await waitUntil('the draft is stored', () => isStored(page, 'Their budget is frozen.'))
  await page.reload()
  await composer(page).waitFor()
  const note = await ask()
  await page.getByText('Draft restored').waitFor()
  expect(await note.inputValue()).toBe('Their budget is frozen.')
  await page.getByRole('button', { name: 'Not now' }).click()
  await waitUntil(
    'the draft is deleted',
    async () => !(await isStored(page, 'Their budget is frozen.')),
  )
  expect(await (await ask()).inputValue()).toBe('')
})

longTest('an edit of a pending update survives a reload', async () => {
  const scene = await withPendingUpdate(await openPlanFixture())
  const { browser, page } = scene
  const field = page.getByRole('textbox', { name: 'Edit the update' })
  await card(page, TEXT).getByRole('button', { name: 'Edit' }).click()
  await field.fill('Go-live agreed, in writing.')
  await waitUntil('the draft is stored', () => isStored(page, 'in writing'))
  await page.reload()
  await card(page, TEXT).getByRole('button', { name: 'Edit' }).click()
  await waitUntil(
    'the edit is restored',
    async () => (await field.inputValue()) === 'Go-live agreed, in writing.',
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await cardIn(page, 'in writing', SAVED).waitFor()
  await browser.context.setOffline(false)
  await expectSentOnce(scene, page, 'Go-live agreed, in writing.')
})

longTest('before sign-in only the number of the user’s own pending updates is shown', async () => {
  const scene = await withPendingUpdate(await openPlanFixture())
  const { ada, browser, page, server } = scene
  await chooseSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  const sendNow = question.getByRole('button', { name: 'Send now' })
  expect(await sendNow.getAttribute('aria-disabled')).toBe('true')
  await question.getByRole('button', { name: 'Keep on this device' }).click()
  await page.getByText('1 update is waiting on this device for you').waitFor()
  await browser.context.setOffline(false)

  const ben = await ApiUser.register(server.url, 'Ben Crag')
  await ben.createOrganisation('Crag and Sons')
  await fillSignIn(page, ben)
  await pickOrganisation(page)
  expect(await page.locator('body').innerText()).not.toContain(TEXT)
  await chooseSignOut(page)
  await page.getByText(/Unsent work by one person is waiting on this device/).waitFor()
  const seen = await page.locator('body').innerText()
  expect(seen).not.toContain('for you')
  expect(seen).not.toContain(TEXT)
  expect(seen).not.toContain(ada.name)

  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  await openPlan(page, scene.plan)
  await expectSentOnce(scene, page, TEXT)
})
