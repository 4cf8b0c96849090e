// The sync centre and the device: what waits can be taken back and put back, what was refused has a
// way on, and what is kept here can be taken out or cleared without losing a word.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PLAN_LIMIT_REACHED } from '../../contract/errors.ts'
import {
  askToSignOut,
  card,
  cardIn,
  composer,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  readyForTheAir,
  SAVED,
} from './app.ts'
import { isStored } from './readable.ts'
import { areSentOnce, atAPlan, UPDATES, type AtAPlan } from './at-a-plan.ts'
import { Person } from './person.ts'
import { until } from './until.ts'

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
async function waiting(scene: AtAPlan): Promise<AtAPlan> {
  const { browser, page } = scene
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  return scene
}

test('what was discarded cannot be put back, or is sent twice when it was', async () => {
  const scene = await waiting(await atAPlan())
  const { browser, network, page } = scene
  const panel = await openSync(page)
  await panel.getByRole('button', { name: 'Discard' }).click()
  await panel.getByText('Nothing waits to be sent.').waitFor()
  expect(await card(page, TEXT).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText(TEXT).waitFor()
  await page.keyboard.press('Escape')
  await cardIn(page, TEXT, SAVED).waitFor()
  await browser.context.setOffline(false)
  await areSentOnce(scene, page, TEXT)
  const accepted = network.seen('POST', UPDATES).filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(1)
  const sent = await openSync(page)
  await sent
    .getByRole('list', { name: 'Sent in the last 24 hours' })
    .getByText(/Launch/)
    .waitFor()
})

test('what was discarded is sent all the same, or is told as sent', async () => {
  const { ada, browser, network, page, plan } = await waiting(await atAPlan())
  await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
  await card(page, TEXT).getByRole('button', { name: 'Discard' }).click()
  await card(page, TEXT).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sync: Offline. Show details' }).waitFor()
  await browser.context.setOffline(false)
  const told = await Promise.race([
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
  expect(told).toBe('nothing')
  await page.reload()
  await composer(page).waitFor()
  expect(network.seen('POST', UPDATES)).toEqual([])
  expect(await ada.updatesSaying(plan, TEXT)).toEqual([])
})

test('after a return nobody is told that all was sent', async () => {
  const { browser, page } = await waiting(await atAPlan())
  await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
  await browser.context.setOffline(false)
  await page.getByRole('button', { name: /Sync: All changes sent/ }).waitFor()
  await page.getByRole('button', { name: /Sync:/ }).waitFor({ state: 'detached' })
})

test('a refusal says neither why nor what to do, or keeps what could be sent by now', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  const refuse = (status: number, body: object) =>
    network.break(
      { method: 'POST', path: UPDATES },
      { kind: 'answered', status, headers: JSON_TYPE, body: JSON.stringify(body) },
      1,
    )
  refuse(403, { message: 'You may not do this.' })
  await post(page, TEXT)
  const refused = card(page, TEXT)
  await refused.getByText(/You may not do this in Ridge and Partners any more/).waitFor()
  await refused.getByText(/Ask an admin of the organisation/).waitFor()

  refuse(403, { message: 'The free plan allows no more.', code: PLAN_LIMIT_REACHED })
  await refused.getByRole('button', { name: 'Send again' }).click()
  await refused.getByText(/The free plan allows no more/).waitFor()
  await refused.getByRole('link', { name: 'See the paid plan' }).waitFor()

  refuse(422, { message: 'Invalid.', errors: { 'Idempotency-Key': ['It was used.'] } })
  await refused.getByRole('button', { name: 'Send again' }).click()
  const anew = refused.getByRole('button', { name: 'Say it anew' })
  await anew.waitFor()
  const before = network.seen('POST', UPDATES).at(-1)?.key
  await anew.click()
  await areSentOnce(scene, page, TEXT)
  expect(network.seen('POST', UPDATES).at(-1)?.key).not.toBe(before)
})

test('the words of a deleted plan are out of reach', async () => {
  const { ada, browser, page, plan } = await waiting(await atAPlan())
  await ada.call('DELETE', `/api/v1/success-plans/${plan.id}`)
  await browser.context.setOffline(false)
  await page.getByRole('button', { name: /Sync: Needs attention/ }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await panel.getByText(/This plan was deleted meanwhile/).waitFor()
  await panel.getByText(TEXT).waitFor()
  expect(await panel.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  await panel.getByRole('button', { name: 'Discard' }).click()
  await panel.getByText('Nothing waits to be sent.').waitFor()
})

test('what waits cannot be taken out as text, or the security policy refuses it', async () => {
  const { page } = await waiting(await atAPlan())
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

test('clearing what was read takes with it what waits, or leaves the app without its plans', async () => {
  const scene = await waiting(await atAPlan())
  const { browser, network, page, unopened } = scene
  const hold = network.hold({ method: 'POST', path: UPDATES })
  let sheet = await openDevice(page)
  const clear = sheet.getByRole('button', { name: 'Clear what was read' })
  await sheet.getByText(/^3 plans · \d updates · 1 account$/).waitFor()
  expect(await clear.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  await browser.context.setOffline(false)
  const pulls = network.seen('GET', /changes\?since=0/).length
  sheet = await openDevice(page)
  await until(
    'there is a network',
    async () => (await clear.getAttribute('aria-disabled')) === null,
  )
  await clear.click()
  await sheet.getByText('The open organisation is downloaded again at once').waitFor()
  await sheet.getByRole('button', { name: 'Clear it now' }).click()
  await network.sees('GET', /changes\?since=0/, pulls + 1)
  await page.keyboard.press('Escape')
  await card(page, TEXT).waitFor()
  hold()
  await areSentOnce(scene, page, TEXT)
  await page.getByRole('link', { name: 'Success plans' }).first().click()
  await planRow(page, unopened).waitFor()
  await browser.context.setOffline(true)
  await page.reload()
  await planRow(page, unopened).waitFor()
})

test('the note of a transition is lost in a reload', async () => {
  const { page } = await atAPlan()
  const ask = async () => {
    await page.getByRole('button', { name: 'Change status' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    return page.getByRole('dialog').getByLabel('Note')
  }
  await (await ask()).fill('Their budget is frozen.')
  await until('it is on the disk', () => isStored(page, 'Their budget is frozen.'))
  await page.reload()
  await composer(page).waitFor()
  const note = await ask()
  await page.getByText('Draft restored').waitFor()
  expect(await note.inputValue()).toBe('Their budget is frozen.')
  await page.getByRole('button', { name: 'Not now' }).click()
  expect(await (await ask()).inputValue()).toBe('')
})

test('an edit of something that waits is lost in a reload', async () => {
  const scene = await waiting(await atAPlan())
  const { browser, page } = scene
  const field = page.getByRole('textbox', { name: 'Edit the update' })
  await card(page, TEXT).getByRole('button', { name: 'Edit' }).click()
  await field.fill('Go-live agreed, in writing.')
  await until('it is on the disk', () => isStored(page, 'in writing'))
  await page.reload()
  await card(page, TEXT).getByRole('button', { name: 'Edit' }).click()
  expect(await field.inputValue()).toBe('Go-live agreed, in writing.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await cardIn(page, 'in writing', SAVED).waitFor()
  await browser.context.setOffline(false)
  await areSentOnce(scene, page, 'Go-live agreed, in writing.')
})

test('before sign-in one person is told of another’s words, or of too few', async () => {
  const scene = await waiting(await atAPlan())
  const { ada, browser, page, server } = scene
  await askToSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  const sendNow = question.getByRole('button', { name: 'Send now' })
  expect(await sendNow.getAttribute('aria-disabled')).toBe('true')
  await question.getByRole('button', { name: 'Keep on this device' }).click()
  await page.getByText('1 update waits on this device for you').waitFor()
  await browser.context.setOffline(false)

  const ben = await Person.register(server.url, 'Ben Crag')
  await ben.found('Crag and Sons')
  await fillSignIn(page, ben)
  await pickOrganisation(page)
  expect(await page.locator('body').innerText()).not.toContain(TEXT)
  await askToSignOut(page)
  await page.getByText(/Work of another person waits on this device, sealed/).waitFor()
  const seen = await page.locator('body').innerText()
  expect(seen).not.toContain('for you')
  expect(seen).not.toContain(TEXT)
  expect(seen).not.toContain(ada.name)

  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await readyForTheAir(page)
  await openPlan(page, scene.plan)
  await areSentOnce(scene, page, TEXT)
})
