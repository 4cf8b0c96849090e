// The access token ran out in the air. Back on the ground it is renewed once, and what waits is sent;
// whatever becomes of the refresh on the way, nobody is signed out by it.
import { expect, test } from 'vitest'
import { cardIn, post, SAVED } from './app.ts'
import { areSentOnce, atAPlan, TOKEN, UPDATES, type AtAPlan } from './at-a-plan.ts'
import { until } from './until.ts'

const TEXT = 'Said between two airports.'
const LIFETIME = 10

/** Says something in the air, and waits until the access token has run out. */
async function saySomethingInTheAir(): Promise<AtAPlan & { signedIn: number }> {
  const scene = await atAPlan({ accessTokenSeconds: LIFETIME })
  await scene.browser.context.setOffline(true)
  await post(scene.page, TEXT)
  await cardIn(scene.page, TEXT, SAVED).waitFor()
  const issued = scene.network.seen('POST', TOKEN)
  const expires = Number(issued.at(-1)?.answered) + (LIFETIME + 1) * 1_000
  await until('the access token runs out', () => Date.now() > expires)
  return { ...scene, signedIn: issued.length }
}

const isAnswered = ({ network }: AtAPlan) =>
  until('the update is answered', () =>
    network.seen('POST', UPDATES).some(({ status }) => status === 201),
  )

async function isSentOnce(scene: AtAPlan): Promise<void> {
  await isAnswered(scene)
  await scene.ada.signIn()
  await areSentOnce(scene, scene.page, TEXT)
}

test('online again: one refresh, then what waited', async () => {
  const scene = await saySomethingInTheAir()
  await scene.browser.context.setOffline(false)
  await isAnswered(scene)
  // Looked at at once: the new one runs out as well.
  const refreshes = scene.network.seen('POST', TOKEN).slice(scene.signedIn)
  expect(refreshes.map(({ status }) => status)).toEqual([200])
  await isSentOnce(scene)
})

const PORTAL = '<!doctype html><title>Welcome to our Wi-Fi</title>'
test.for([
  ['503', { kind: 'answered', status: 503, body: '{"message":"Busy"}' }],
  [
    'a captive portal',
    { kind: 'answered', status: 200, headers: { 'content-type': 'text/html' }, body: PORTAL },
  ],
  ['no way out', { kind: 'lost' }],
  ['no way back: the server has renewed the tokens, and nobody knows', { kind: 'answer-lost' }],
  ['a cut in the middle of the new tokens', { kind: 'cut' }],
] as const)(
  'the refresh meets %s: still signed in, still waiting, sent later',
  async ([, fault]) => {
    const scene = await saySomethingInTheAir()
    const { network, page } = scene
    const repair = network.break({ path: TOKEN }, fault)
    await scene.browser.context.setOffline(false)
    await network.sees('POST', TOKEN, scene.signedIn + 2)
    await cardIn(page, TEXT, SAVED).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/success-plans/${scene.plan.id}`)
    expect(network.seen('POST', UPDATES).filter(({ status }) => status === 201)).toEqual([])
    repair()
    await isSentOnce(scene)
  },
)
