// Said in the air, and the app closed before the landing: the worker sends it, once, under the right
// name, while no tab is open.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { REPLAY_TAG } from '../../src/sync/background.ts'
import { card, cardIn, openPlan, openPlans, post, SAVED } from './app.ts'
import { ClosedApp } from './closed-app.ts'
import { setScene, type Scene } from './scene.ts'
import { until } from './until.ts'

const UPDATES = /\/updates$/
const TOKEN = /^\/oauth\/token$/
const TEXT = 'Said just before the doors closed.'
const LIFETIME = 10

/** Whether the page has left it to the browser to call the worker. */
async function isAsked(page: Page): Promise<boolean> {
  const tags = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return await (registration as unknown as { sync: SyncManager }).sync.getTags()
  })
  return tags.includes(REPLAY_TAG)
}

interface SyncManager {
  getTags(): Promise<string[]>
}

/** Ada says something where there is no network, and closes the app. The network comes back. */
async function saidAndClosed(options?: Parameters<typeof setScene>[0]) {
  const scene = await setScene(options ?? { usedBefore: true })
  const { browser, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await network.goDown()
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  await until('the browser was asked to call the worker', () => isAsked(page))
  const app = await ClosedApp.close(browser, scene.url)
  // The browser has called it at once, and it may still be trying.
  await app.stopWorker()
  await network.comeUp()
  expect(network.seen('POST', UPDATES)).toEqual([])
  return { ...scene, app }
}

const accepted = ({ network }: Scene) =>
  network.seen('POST', UPDATES).filter(({ upstream }) => upstream === 201)

async function isThereOnce(scene: Scene): Promise<void> {
  await scene.ada.signIn()
  const [update, ...more] = await scene.ada.updatesSaying(scene.plan, TEXT)
  expect(update?.user_id).toBe(scene.organisation.user_id)
  expect(more).toEqual([])
}

test('the network comes back: sent once, under the right name', async () => {
  const scene = await saidAndClosed({})
  await scene.app.callWorker()
  await until('the update is answered', () => accepted(scene).length > 0)
  await isThereOnce(scene)
  // What the worker needs for it, it had from the start.
  expect(scene.network.seen('GET', /background-replay/)).toHaveLength(1)

  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await page.getByText(SAVED).waitFor({ state: 'detached' })
  expect(scene.network.seen('POST', UPDATES)).toHaveLength(1)
})

test('the access token ran out meanwhile: the worker renews it, and the app opens signed in', async () => {
  const scene = await saidAndClosed({ accessTokenSeconds: LIFETIME })
  const issued = scene.network.seen('POST', TOKEN)
  const expires = Number(issued.at(-1)?.answered) + (LIFETIME + 1) * 1_000
  await until('the access token runs out', () => Date.now() > expires)
  await scene.app.callWorker()
  await until('the update is answered', () => accepted(scene).length > 0)
  const renewed = scene.network.seen('POST', TOKEN).slice(issued.length)
  expect(renewed.map(({ status }) => status)).toEqual([200])

  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await page.getByText(SAVED).waitFor({ state: 'detached' })
  const tokens = await page.evaluate(() => localStorage.getItem('access_token'))
  expect(tokens).not.toBe(null)
  await isThereOnce(scene)
})

test('the worker is stopped in the middle, and called again: still once', async () => {
  const scene = await saidAndClosed()
  const { app, network } = scene
  const release = network.hold({ method: 'POST', path: UPDATES })
  await app.callWorker()
  await network.sees('POST', UPDATES)
  await app.stopWorker()
  release()
  await until('the first attempt arrives', () => accepted(scene).length > 0)
  await app.callWorker()
  const [first, second] = await network.sees('POST', UPDATES, 2)
  await until('the second attempt is answered', () => second?.status)
  expect(second?.key).toBe(first?.key)
  expect(second?.replayed).toBe(true)
  await isThereOnce(scene)
})

test('the server stays away: kept for the next start', async () => {
  const scene = await saidAndClosed()
  const repair = scene.network.break({ path: UPDATES }, { kind: 'lost' })
  await scene.app.callWorker()
  await scene.network.sees('POST', UPDATES)
  repair()
  const page = await scene.browser.open(`${scene.url}/success-plans/${scene.plan.id}`)
  await card(page, TEXT).waitFor()
  await until('the update is answered', () => accepted(scene).length > 0)
  await isThereOnce(scene)
})
