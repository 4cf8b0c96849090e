// A quick step can be undone until it leaves: no context sends it earlier than its delay.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { EngineFixture, moveClock, postUpdate, waitFor } from '../engine-fixture.ts'

const DELAY_MS = 25_000

afterEach(() => void vi.restoreAllMocks())

async function signedIn() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  return { stage, tab: await stage.signedInTab('ann') }
}

const quickStep = (tab: Engine, text: string, plan_id = 'north-1') =>
  tab.enqueue(
    'postPlanUpdate',
    { path: { id: plan_id }, body: { id: `update of ${text}`, body: text } },
    undefined,
    undefined,
    DELAY_MS,
  )

/** Something of another plan that is sent at once: a replay has looked at the whole outbox. */
async function sendAnother(stage: EngineFixture, tab: Engine, text: string) {
  await postUpdate(tab, text, 'north-2')
  await waitFor(() => expect(stage.storedTexts).toContain(text))
}

test('sends a delayed operation after its delay, and later ones of its lane after it', async () => {
  const { stage, tab } = await signedIn()
  await quickStep(tab, 'No change.')
  await postUpdate(tab, 'They signed.')
  await sendAnother(stage, tab, 'Another plan.')
  expect(stage.storedTexts).toEqual(['Another plan.'])
  moveClock(DELAY_MS)
  await waitFor(() =>
    expect(stage.storedTexts).toEqual(['Another plan.', 'No change.', 'They signed.']),
  )
})

test('an edit of a delayed operation is sent no earlier', async () => {
  const { stage, tab } = await signedIn()
  const { id, input } = await quickStep(tab, 'No change.')
  await tab.outbox.edit(id, { ...(input.body as object), body: 'Nothing new.' })
  await tab.outboxChanged()
  await sendAnother(stage, tab, 'Another plan.')
  expect(stage.storedTexts).toEqual(['Another plan.'])
  moveClock(DELAY_MS)
  await waitFor(() => expect(stage.storedTexts).toEqual(['Another plan.', 'Nothing new.']))
})

test('no other tab, no reload and no worker sends it earlier', async () => {
  const { stage, tab } = await signedIn()
  const { id } = await quickStep(tab, 'No change.')
  const other = await stage.tab()
  other.wake()
  await sendAnother(stage, other, 'Other tab.')
  stage.closeTabs()
  const reloaded = await stage.tab()
  await sendAnother(stage, reloaded, 'Reloaded.')
  stage.closeTabs()
  let now = Date.now()
  const slept: number[] = []
  const sleep = async (delayMs: number) => {
    slept.push(delayMs)
    expect(stage.storedTexts).not.toContain('No change.')
    now += delayMs
  }
  const ports = { ...stage.ports(), clock: { now: () => now } }
  expect(await reloaded.outbox.all()).toContainEqual(expect.objectContaining({ id, attempts: 0 }))
  const client = async () => ({ client_id: 'app' })
  const signal = new Cancellation()
  await replayInBackground(
    ports,
    { ...product.token, client },
    { last: false, sleep, signal, reads: product },
  )
  expect(slept).toHaveLength(1)
  expect(stage.storedTexts.filter((text) => text === 'No change.')).toHaveLength(1)
})

test('is sent before its delay when the user asks for it', async () => {
  const { stage, tab } = await signedIn()
  await quickStep(tab, 'No change.')
  await tab.sendNow(true)
  await waitFor(() => expect(stage.storedTexts).toEqual(['No change.']))
})

test('is not sent before its delay by a refresh, which retries what the back-off holds', async () => {
  const { stage, tab } = await signedIn()
  stage.network = ({ method }, answer) =>
    method === 'POST' ? { status: 503, headers: {}, text: '' } : answer()
  await postUpdate(tab, 'Held back.', 'north-2')
  await waitFor(async () => expect((await tab.outbox.all())[0]?.not_before).toBeGreaterThan(0))
  await quickStep(tab, 'No change.')
  stage.network = (_request, answer) => answer()
  await tab.sendNow(false)
  await waitFor(() => expect(stage.storedTexts).toContain('Held back.'))
  await sendAnother(stage, tab, 'Another plan.')
  expect(stage.storedTexts).not.toContain('No change.')
})

test('can be undone until an attempt has started, and not after it', async () => {
  const { stage, tab } = await signedIn()
  const undone = await quickStep(tab, 'Undone.')
  expect(await tab.outbox.discard(undone.id, true)).toMatchObject([{ id: undone.id }])
  await tab.outboxChanged()
  const sent = await quickStep(tab, 'Sent.')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  stage.delayRequest = ({ method }) => (method === 'POST' ? held : Promise.resolve())
  await tab.sendNow(true)
  await waitFor(() => expect(stage.storedTexts).toEqual(['Sent.']))
  expect(await tab.outbox.discard(sent.id, true)).toEqual([])
  expect(await tab.outbox.all()).toMatchObject([{ id: sent.id }])
  release()
  await waitFor(async () =>
    expect((await tab.outbox.all()).filter(({ state }) => state === 'pending')).toEqual([]),
  )
  expect(stage.storedTexts).toEqual(['Sent.'])
})

test('what is gone from the outbox while the tokens are refreshed is not sent again with the new ones', async () => {
  const { stage, tab } = await signedIn()
  const posts = () =>
    stage.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/updates'))
  const { promise: refreshing, resolve: begin } = Promise.withResolvers<void>()
  const { promise: discarded, resolve: goOn } = Promise.withResolvers<void>()
  stage.network = ({ method, url }, answer) =>
    method === 'POST' && url.endsWith('/updates')
      ? { status: 401, headers: {}, text: '{"message":"Unauthenticated."}' }
      : answer()
  stage.delayRequest = async ({ url }) => {
    if (url !== '/oauth/token') return
    begin()
    await discarded
  }
  const { id } = await postUpdate(tab, 'They signed.')
  await refreshing
  await stage.remove(id)
  stage.network = (_request, answer) => answer()
  goOn()
  await sendAnother(stage, tab, 'Another plan.')
  expect(stage.storedTexts).toEqual(['Another plan.'])
  expect(posts()).toHaveLength(2)
})
