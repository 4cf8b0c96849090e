// Everyday error responses: a captive portal, an overloaded server, a rejection, and a sign-out with
// pending operations.
import { expect, test } from 'vitest'
import {
  chooseSignOut,
  card,
  cardIn,
  fillSignIn,
  openPlan,
  pickOrganisation,
  post,
  SAVED,
} from '../fixtures/app.ts'
import {
  expectSentOnce,
  openPlanFixture,
  UPDATES_PATH,
  type OpenPlanFixture,
} from '../fixtures/open-plan-fixture.ts'
import {
  readAllStorage,
  OUTBOX,
  OUTBOX_COPY,
  secretsOf,
  findSecrets,
  SIGNED_OUT_RECORD,
} from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TEXT = 'A day like this.'
const JSON_TYPE = { 'content-type': 'application/json' }

const isSentOnce = (scene: OpenPlanFixture) => expectSentOnce(scene, scene.page, TEXT)

test('a captive portal counts as offline; the user stays signed in and the update is sent later', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  // What the start asks for must not meet the portal: then the update would not be sent at all.
  const calls = [/\/changes/, /\/userinfo$/, /\/organisations\/[^/]+$/, /\/events$/]
  await waitUntil('the start is over', () =>
    calls.every((path) => network.requests('GET', path).some(({ answered }) => answered)),
  )
  const leave = network.injectFault(
    { path: /^\/(api|oauth|healthz|config)/ },
    {
      kind: 'answered',
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Welcome to our Wi-Fi</title>',
    },
  )
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await page.getByRole('button', { name: /Sync: Offline · 1 waiting/ }).waitFor()
  await network.waitForRequests('POST', UPDATES_PATH)
  await page.reload()
  await cardIn(page, TEXT, SAVED).waitFor()
  leave()
  await isSentOnce(scene)
})

longTest('429 with Retry-After: waits as asked, then retries with the same key', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  network.injectFault(
    { method: 'POST', path: UPDATES_PATH },
    {
      kind: 'answered',
      status: 429,
      headers: { ...JSON_TYPE, 'retry-after': '4' },
      body: '{"message":"Too many requests."}',
    },
    1,
  )
  await post(page, TEXT)
  await isSentOnce(scene)
  const [first, second, ...more] = network.requests('POST', UPDATES_PATH)
  expect(more).toEqual([])
  expect(second?.key).toBe(first?.key)
  expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(4_000)
})

longTest('500: keeps the update and retries until the server recovers', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  const repair = network.injectFault(
    { path: /^\/api/ },
    {
      kind: 'answered',
      status: 500,
      headers: JSON_TYPE,
      body: '{"message":"Internal Server Error","request_id":"1"}',
    },
  )
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await network.waitForRequests('POST', UPDATES_PATH, 2)
  repair()
  await isSentOnce(scene)
  expect(new Set(network.requests('POST', UPDATES_PATH).map(({ key }) => key)).size).toBe(1)
})

longTest('422: shows the server’s message, and the edited update is sent', async () => {
  const { ada, network, page, plan } = await openPlanFixture()
  network.injectFault(
    { method: 'POST', path: UPDATES_PATH },
    {
      kind: 'answered',
      status: 422,
      headers: JSON_TYPE,
      body: '{"message":"Invalid.","errors":{"body":["Name the customer in the first line."]}}',
    },
    1,
  )
  await post(page, TEXT)
  await cardIn(page, TEXT, 'Needs attention').waitFor()
  const refused = card(page, TEXT)
  await refused.getByText('Name the customer in the first line.').waitFor()
  await page.getByRole('button', { name: /Sync: Needs attention/ }).waitFor()
  await refused.getByRole('button', { name: 'Edit', exact: true }).click()
  const corrected = `Northwind: ${TEXT}`
  await page.getByRole('textbox', { name: 'Edit the update' }).fill(corrected)
  await page.getByRole('button', { name: 'Save and send again' }).click()
  await waitUntil('the server has it', async () => {
    const stored = await ada.updatesWithText(plan, corrected)
    return stored.length === 1
  })
  await page.getByText('Needs attention').first().waitFor({ state: 'detached' })
  expect(await ada.updatesWithText(plan, TEXT)).toEqual([])
})

longTest('keeps the text and asks for attention when the plan was deleted', async () => {
  const { ada, browser, page, plan } = await openPlanFixture()
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await ada.call('DELETE', `/api/v1/success-plans/${plan.id}`)
  await browser.context.setOffline(false)
  const pill = page.getByRole('button', { name: /Sync: Needs attention/ })
  await pill.waitFor()
  await pill.click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await panel.getByText(TEXT).waitFor()
  await panel.getByRole('button', { name: 'Copy' }).waitFor()
  await panel.getByRole('button', { name: 'Discard' }).waitFor()
})

test('sign-out asks about pending changes, seals them and sends them after the next sign-in', async () => {
  const scene = await openPlanFixture()
  const { ada, browser, page } = scene
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await chooseSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  await question.getByText('1 change has not been sent yet.').waitFor()
  await question.getByRole('button', { name: 'Keep on this device' }).click()
  await page.getByText('1 update is waiting on this device for you').waitFor()
  const left = await readAllStorage(page)
  expect(left[OUTBOX]).toContain(TEXT)
  expect(
    findSecrets(left, secretsOf(ada, scene), [OUTBOX, OUTBOX_COPY, SIGNED_OUT_RECORD]),
  ).toEqual([])
  await browser.context.setOffline(false)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await openPlan(page, scene.plan)
  await card(page, TEXT).waitFor()
  await isSentOnce(scene)
})
