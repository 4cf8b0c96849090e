// What is said on one device is on the other's open screen at once: no action, and no looking now and
// then.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { card, openPlan, openPlans, post, readyForTheAir, signIn } from './app.ts'
import { Chromium } from './chromium.ts'
import { setScene, type Scene } from './scene.ts'

const EVENTS = /^\/api\/v1\/events$/
const CHANGES = /^\/api\/v1\/changes/
/** How often the app would look by itself. */
const POLL = 60_000

async function otherDevice(scene: Scene): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'cairn-other-'))
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  const browser = await Chromium.start(profile, [scene.url], scene.complaints, scene.network.port)
  onTestFinished(() => browser.kill())
  return browser
}

test('posted on one device, it appears in the open plan on the other', async () => {
  const scene = await setScene()
  const { ada, browser, network, plan, url } = scene
  const writing = await (await otherDevice(scene)).open()
  await signIn(writing, url, ada)
  await readyForTheAir(writing)
  await openPlan(writing, plan)
  const opened = Date.now()
  const reading = await browser.open()
  await signIn(reading, url, ada)
  await readyForTheAir(reading)
  await openPlan(reading, plan)
  await network.sees('GET', EVENTS, 2)

  await post(writing, 'Seen as it happens.')
  await card(reading, 'Seen as it happens.').waitFor()
  expect(Date.now() - opened).toBeLessThan(POLL)
})

test('the stream breaks: it is opened again, and what was missed appears', async () => {
  const scene = await setScene({ usedBefore: true })
  const { ada, network, plan, server } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.sees('GET', EVENTS)
  await network.goDown()
  await ada.postUpdate(plan, { body: 'Said behind its back.' })
  await network.comeUp()
  await card(page, 'Said behind its back.').waitFor()
  await network.sees('GET', EVENTS, 2)
  // A server that goes away does not wait for those who listen.
  await server.stop()
})

test('a server that tells nothing: looked for now and then, as before', async () => {
  const scene = await setScene()
  const { ada, browser, network, plan, url } = scene
  network.break({ path: EVENTS }, NOT_FOUND)
  const page = await browser.open()
  await page.clock.install()
  await signIn(page, url, ada)
  await readyForTheAir(page)
  await openPlan(page, plan)
  await network.sees('GET', EVENTS)
  await ada.postUpdate(plan, { body: 'Found by looking.' })
  const looked = network.seen('GET', CHANGES).length
  await page.clock.fastForward(POLL)
  await card(page, 'Found by looking.').waitFor()
  expect(network.seen('GET', CHANGES).length).toBeGreaterThan(looked)
  expect(network.seen('GET', EVENTS)).toHaveLength(1)
})

const NOT_FOUND = {
  kind: 'answered',
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Not found."}',
} as const
