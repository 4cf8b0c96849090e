// Chromium deletes all IndexedDB data of an origin when it finds it damaged after a kill. What waited to be sent
// is lost with it, arrives twice, or out of order.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cardIn, composer, post, SAVED } from '../fixtures/app.ts'
import {
  countKeys,
  expectSentOnce,
  openPlanFixture,
  UPDATES_PATH,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const BACK = /The browser lost the data of this app/

/** The texts in the outbox copy, as one. */
const copied = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const cache = await caches.open('cairn-outbox')
    const rows = (await cache.keys()).map(async (key) => (await cache.match(key))?.text())
    return (await Promise.all(rows)).join('\n')
  })

const databasesOf = async (profile: string): Promise<string[]> => {
  const folder = join(profile, 'Default', 'IndexedDB')
  return (await readdir(folder)).map((name) => join(folder, name))
}

test('updates and a draft survive the loss of the database, and arrive once and in order', async () => {
  const scene = await openPlanFixture()
  const { ada, network, page, plan, url } = scene
  await post(page, 'Sent before.')
  await expectSentOnce(scene, page, 'Sent before.')
  await scene.server.stop()
  await network.goDown()
  for (const text of ['First.', 'Second.']) await post(page, text)
  await cardIn(page, 'Second.', SAVED).waitFor()
  await composer(page).fill('Half a thought.')
  await waitUntil('the draft is in the copy', async () =>
    (await copied(page)).includes('Half a thought.'),
  )

  // As a kill in the middle of a write to the copy leaves it.
  await page.evaluate(async () => {
    const cache = await caches.open('cairn-outbox')
    const row = encodeURIComponent(JSON.stringify(['operations', 'half']))
    await cache.put(`https://outbox.invalid/${row}`, new Response('{"v":1,"id":"ha'))
  })

  const browser = await scene.restartBrowser(async (profile) => {
    for (const folder of await databasesOf(profile)) await rm(folder, { recursive: true })
  })
  const reopened = await browser.open(`${url}/success-plans/${plan.id}`)
  await reopened.getByText(BACK).waitFor()
  await reopened.getByRole('button', { name: /2 waiting/ }).waitFor()
  await network.goUp()
  await scene.server.start()
  await expectSentOnce(scene, reopened, 'Sent before.', 'First.', 'Second.')
  expect(await composer(reopened).inputValue()).toBe('Half a thought.')
  await post(reopened, 'Third.')
  await expectSentOnce(scene, reopened, 'Third.')
  const sent = network.requests('POST', UPDATES_PATH).filter(({ upstream }) => upstream)
  expect(countKeys(sent)).toBe(4)
  const versions = await Promise.all(
    ['First.', 'Second.', 'Third.'].map(
      async (text) => (await ada.updatesWithText(plan, text))[0]?.version,
    ),
  )
  expect(versions).toEqual(versions.toSorted((a, b) => Number(a) - Number(b)))
})

longTest(
  'what was sent or discarded is not in the copy any more, and does not come back',
  async () => {
    const scene = await openPlanFixture()
    const { network, page, plan, url } = scene
    await post(page, 'Sent.')
    await expectSentOnce(scene, page, 'Sent.')
    await scene.browser.context.setOffline(true)
    await post(page, 'Discarded.')
    await cardIn(page, 'Discarded.', SAVED).waitFor()
    await waitUntil('it is in the copy', async () => (await copied(page)).includes('Discarded.'))
    expect(await copied(page)).not.toContain('Sent.')
    await page.getByRole('button', { name: /1 waiting/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click()
    await waitUntil('the copy is empty', async () => (await copied(page)) === '')

    const browser = await scene.restartBrowser(async (profile) => {
      for (const folder of await databasesOf(profile)) await rm(folder, { recursive: true })
    })
    await network.goUp()
    const reopened = await browser.open(`${url}/success-plans/${plan.id}`)
    await cardIn(reopened, 'Sent.', 'Ada Fell').waitFor()
    expect(await reopened.getByText('Discarded.').count()).toBe(0)
    expect(countKeys(network.requests('POST', UPDATES_PATH))).toBe(1)
  },
)
