// The browser deletes the database of the open app. Updates that waited are lost, or sent twice, or the app no
// longer stores anything.
import { expect, test } from 'vitest'
import {
  card,
  cardIn,
  openPlan,
  post,
  waitForOfflineReady,
  waitForRecords,
  SAVED,
} from '../fixtures/app.ts'
import {
  expectSentOnce,
  openPlanFixture,
  countKeys,
  UPDATES_PATH,
  type OpenPlanFixture,
} from '../fixtures/open-plan-fixture.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { sampleOf } from '../../sample.ts'

const BEFORE = 'Posted before the storage was cleared.'
const AFTER = 'Posted after the storage was cleared.'

type ClearStorage = (scene: OpenPlanFixture) => Promise<unknown>

const clearing: ClearStorage = async ({ browser, page, url }) => {
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'indexeddb' })
}

const deleting: ClearStorage = async ({ browser, page, url }) => {
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('IndexedDB.deleteDatabase', { securityOrigin: url, databaseName: 'cairn' })
}

const WAYS: [string, ClearStorage][] = [
  ['cleared', clearing],
  ['deleted', deleting],
]

test.for(sampleOf(WAYS, 1, 'storage cleared'))(
  'when the database is %s the user stays signed in, what waited is back, and all is sent once',
  async ([, take]) => {
    const scene = await openPlanFixture()
    const { browser, network, page, plan, unopened, url } = scene
    await browser.context.setOffline(true)
    await post(page, BEFORE)
    await cardIn(page, BEFORE, SAVED).waitFor()
    await take(scene)

    await post(page, AFTER)
    await cardIn(page, AFTER, SAVED).waitFor()
    await browser.context.setOffline(false)
    await expectSentOnce(scene, page, BEFORE, AFTER)
    expect(countKeys(network.requests('POST', UPDATES_PATH))).toBe(2)
    const [before, after] = await Promise.all(
      [BEFORE, AFTER].map((text) => scene.ada.updatesWithText(plan, text)),
    )
    expect(Number(before?.[0]?.version)).toBeLessThan(Number(after?.[0]?.version))

    // The replica is downloaded again, without a new sign-in.
    await page.goto(`${url}/success-plans`)
    await waitForOfflineReady(page)
    await waitForRecords(scene, page)
    await browser.context.setOffline(true)
    await openPlan(page, unopened)
    await page.getByText(HISTORY.unopened).waitFor()
    await page.goto(`${url}/success-plans/${plan.id}`)
    await card(page, AFTER).waitFor()
  },
)
