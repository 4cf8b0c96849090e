// What a working day brings: a hotel's portal, a server out of breath, a refusal, and somebody who signs
// out too early.
import { expect, test } from 'vitest'
import {
  askToSignOut,
  card,
  cardIn,
  fillSignIn,
  openPlan,
  pickOrganisation,
  post,
  SAVED,
} from './app.ts'
import { areSentOnce, atAPlan, UPDATES, type AtAPlan } from './at-a-plan.ts'
import { everythingReadable, OUTBOX, secretsOf, traces, WHO_LEFT } from './readable.ts'
import { until } from './until.ts'

const TEXT = 'A day like this.'
const JSON_TYPE = { 'content-type': 'application/json' }

const isSentOnce = (scene: AtAPlan) => areSentOnce(scene, scene.page, TEXT)

test('a captive portal answers everything: offline, still signed in, sent when it is gone', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  const leave = network.break(
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
  await network.sees('POST', UPDATES)
  await page.reload()
  await cardIn(page, TEXT, SAVED).waitFor()
  leave()
  await isSentOnce(scene)
})

test('429 with Retry-After: not one try sooner, and the same key', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  network.break(
    { method: 'POST', path: UPDATES },
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
  const [first, second, ...more] = network.seen('POST', UPDATES)
  expect(more).toEqual([])
  expect(second?.key).toBe(first?.key)
  expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(4_000)
})

test('500: kept, and sent when the server is well again', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  const heal = network.break(
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
  await network.sees('POST', UPDATES, 2)
  heal()
  await isSentOnce(scene)
  expect(new Set(network.seen('POST', UPDATES).map(({ key }) => key)).size).toBe(1)
})

test('422: needs attention in the words of the server; edited, it is sent', async () => {
  const { ada, network, page, plan } = await atAPlan()
  network.break(
    { method: 'POST', path: UPDATES },
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
  const mended = `Northwind: ${TEXT}`
  await page.getByRole('textbox', { name: 'Edit the update' }).fill(mended)
  await page.getByRole('button', { name: 'Save and send again' }).click()
  await until('the server has it', async () => {
    const there = await ada.updatesSaying(plan, mended)
    return there.length === 1
  })
  await page.getByText('Needs attention').first().waitFor({ state: 'detached' })
  expect(await ada.updatesSaying(plan, TEXT)).toEqual([])
})

test('the plan was deleted meanwhile: the text is kept, and needs attention', async () => {
  const { ada, browser, page, plan } = await atAPlan()
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

test('signing out with something waiting asks, keeps it sealed, and sends it later', async () => {
  const scene = await atAPlan()
  const { ada, browser, page } = scene
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await askToSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  await question.getByText('1 change has not been sent yet.').waitFor()
  await question.getByRole('button', { name: 'Keep on this device' }).click()
  await page.getByText('1 update waits on this device for you').waitFor()
  const left = await everythingReadable(page)
  expect(left[OUTBOX]).toContain(TEXT)
  expect(traces(left, secretsOf(ada, scene), [OUTBOX, WHO_LEFT])).toEqual([])
  await browser.context.setOffline(false)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await openPlan(page, scene.plan)
  await card(page, TEXT).waitFor()
  await isSentOnce(scene)
})
