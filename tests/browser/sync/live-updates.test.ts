// An update posted on one device appears at once on another's open screen, without any action or
// polling.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { card, openPlan, openPlans, post, waitForOfflineReady, signIn } from '../fixtures/app.ts'
import { Chromium } from '../fixtures/chromium.ts'
import { copyFolder } from '../fixtures/copy-folder.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const EVENTS = /^\/api\/v1\/events$/
const CHANGES = /^\/api\/v1\/changes/
/** The app's polling interval. */
const POLL = 60_000

async function otherDevice(scene: BrowserFixture): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-other-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const profile = join(folder, 'profile')
  await copyFolder(inject('signedOutProfile'), profile)
  const browser = await Chromium.start(profile, [scene.url], scene.pageErrors, scene.network.port)
  onTestFinished(() => browser.kill())
  return browser
}

test('an update posted on one device appears on another', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, plan, url } = scene
  const writing = await (await otherDevice(scene)).open()
  await signIn(writing, url, ada)
  await waitForOfflineReady(writing)
  await openPlan(writing, plan)
  // Without its polling the update can only come by the event.
  await scene.browser.context.addInitScript((poll) => {
    const begin = window.setInterval
    window.setInterval = ((handler: () => void, milliseconds?: number) =>
      milliseconds === poll ? 0 : begin(handler, milliseconds)) as typeof window.setInterval
  }, POLL)
  const reading = await openPlans(scene)
  await openPlan(reading, plan)
  await network.waitForRequests('GET', EVENTS, 2)

  await post(writing, 'Seen as it happens.')
  await card(reading, 'Seen as it happens.').waitFor()
})

longTest('a broken event stream is reopened and missed updates appear', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, plan, server } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.waitForRequests('GET', EVENTS)
  await network.goDown()
  await ada.postUpdate(plan, { body: 'Posted on another device.' })
  await network.goUp()
  await card(page, 'Posted on another device.').waitFor()
  await network.waitForRequests('GET', EVENTS, 2)
  // A server that shuts down does not wait for its streams.
  await server.stop()
})

longTest('without an event stream the app polls', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, browser, network, plan } = scene
  network.injectFault({ path: EVENTS }, NOT_FOUND)
  await browser.context.clock.install()
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.waitForRequests('GET', EVENTS)
  await ada.postUpdate(plan, { body: 'Found by looking.' })
  const looked = network.requests('GET', CHANGES).length
  // The answer that there are no events may still be on its way to the page.
  await waitUntil('the app has asked again', async () => {
    await page.clock.fastForward(POLL)
    return network.requests('GET', CHANGES).length > looked
  })
  await card(page, 'Found by looking.').waitFor()
  expect(network.requests('GET', EVENTS)).toHaveLength(1)
})

const NOT_FOUND = {
  kind: 'answered',
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Not found."}',
} as const
