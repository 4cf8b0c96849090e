// The browser clears what it has stored, under the open app: because somebody asked it to, or because
// the disk was full. The app goes on, and promises nothing that is gone.
import { expect, test } from 'vitest'
import { card, cardIn, openPlan, post, readyForTheAir, SAVED } from './app.ts'
import { areSentOnce, atAPlan, keysOf, UPDATES, type AtAPlan } from './at-a-plan.ts'
import { HISTORY } from './team.ts'

const BEFORE = 'Said before it was all gone.'
const AFTER = 'Said as if nothing had happened.'

type TakeAway = (scene: AtAPlan) => Promise<unknown>

const clearing: TakeAway = async ({ browser, page, url }) => {
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'indexeddb' })
}

const deleting: TakeAway = async ({ browser, page, url }) => {
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('IndexedDB.deleteDatabase', { securityOrigin: url, databaseName: 'cairn' })
}

test.for([
  ['cleared', clearing],
  ['deleted', deleting],
] as const)(
  'the database is %s: signed in, and what is said from now on is kept and sent',
  async ([, take]) => {
    const scene = await atAPlan()
    const { browser, network, page, plan, unopened, url } = scene
    await browser.context.setOffline(true)
    await post(page, BEFORE)
    await cardIn(page, BEFORE, SAVED).waitFor()
    await take(scene)

    // What is gone is not called saved any longer.
    await card(page, BEFORE).waitFor({ state: 'detached' })
    await post(page, AFTER)
    await cardIn(page, AFTER, SAVED).waitFor()
    await browser.context.setOffline(false)
    await areSentOnce(scene, page, AFTER)
    expect(keysOf(network.seen('POST', UPDATES))).toBe(1)

    // All of it comes back to the device, without anybody signing in again.
    await page.goto(`${url}/success-plans`)
    await readyForTheAir(page)
    await browser.context.setOffline(true)
    await openPlan(page, unopened)
    await page.getByText(HISTORY.unopened).waitFor()
    await page.goto(`${url}/success-plans/${plan.id}`)
    await card(page, AFTER).waitFor()
  },
)
