// The app is updated while a device holds a session, a queue and drafts that the build before has written:
// the present build shows them, sends the queue once and in order, and keeps the drafts.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { previousApp } from '../../fixtures/previous-build.ts'
import { SAVED, cardIn, composer } from '../fixtures/app.ts'
import { TOKEN_PATH } from '../fixtures/open-plan-fixture.ts'
import {
  acceptUpdate,
  draftBefore,
  openPlanBefore,
  postBefore,
  runsPresent,
  saveTitleBefore,
  signInBefore,
  storedIn,
} from '../fixtures/previous-app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { buildNext } from '../fixtures/next-build.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const [FIRST, SECOND] = ['Written in the tunnel.', 'Written on the ferry.']
const RENAMED = 'Launch the workspace for all'
const [NEW_PLAN, ON_NEW_PLAN] = ['Bring the kitchens on board', 'The head chef is with us.']
const [HALF_AN_UPDATE, HALF_A_TITLE] = ['Half a sentence', 'Half a title']

interface StoredOperation {
  id: string
  lane: string
  seq: number
}

const queueOf = async (page: Page): Promise<StoredOperation[]> =>
  (await storedIn<StoredOperation | number>(page, 'operations'))
    .filter((one) => typeof one === 'object')
    .toSorted((a, b) => a.seq - b.seq)

/** What a page of either build stores in localStorage while a user works with plans. */
const LOCAL_KEYS = [
  'access_token',
  'active_organisation',
  'config',
  'first_picture',
  'first_screen',
  'refresh_token',
  'session_seq',
  'user',
]
const hasLocalKeys = (page: Page) =>
  waitUntil(`localStorage has ${LOCAL_KEYS.join(', ')}`, () =>
    page.evaluate((keys) => keys.every((key) => localStorage.getItem(key) !== null), LOCAL_KEYS),
  )

const draftIsStored = (page: Page, text: string) =>
  waitUntil(`the draft “${text}” is stored`, async () =>
    (await storedIn<string>(page, 'drafts')).some((draft) => draft.includes(text)),
  )

test('a session, a queue and drafts of the build before go on under this one', async () => {
  const present = await buildNext()
  const scene = await createBrowserFixture({ dist: await previousApp() })
  const { account, ada, network, plan, server, unopened, url } = scene
  const page = await scene.browser.open()
  await signInBefore(page, url, ada)
  await hasLocalKeys(page)
  await openPlanBefore(page, url, plan)

  await network.goDown()
  await postBefore(page, FIRST)
  await page.goto(`${url}/success-plans/${plan.id}?edit`)
  await saveTitleBefore(page, RENAMED)
  await postBefore(page, SECOND)
  await page.goto(`${url}/success-plans/new?account=${account.id}`)
  await saveTitleBefore(page, NEW_PLAN)
  const newPlan = new URL(page.url()).pathname
  await postBefore(page, ON_NEW_PLAN)
  await page.goto(`${url}/success-plans/new`)
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(HALF_A_TITLE)
  await draftIsStored(page, HALF_A_TITLE)
  await openPlanBefore(page, url, unopened)
  await draftBefore(page, HALF_AN_UPDATE)
  await draftIsStored(page, HALF_AN_UPDATE)
  const queue = await queueOf(page)
  expect(queue).toHaveLength(5)
  await scene.restartBrowser()

  // The present build is deployed, and reaches the device before anything can be sent.
  await server.stop()
  await server.start({ dist: present })
  const repair = network.injectFault({ path: /^\/(api|oauth|healthz)/ }, { kind: 'lost' })
  await network.goUp()
  const again = await scene.browser.open(`${url}/success-plans/${plan.id}`)
  await acceptUpdate(again)
  await network.goDown()

  const opens = async (path: string) => {
    await again.goto(url + path)
    await waitUntil('the present build runs', () => runsPresent(again))
  }
  const signedIn = network.requests('POST', TOKEN_PATH).length
  await opens(`/success-plans/${plan.id}`)
  await again.getByRole('heading', { name: RENAMED, level: 1 }).waitFor()
  for (const text of [FIRST, SECOND]) await cardIn(again, text, SAVED).waitFor()
  await opens(newPlan)
  await again.getByRole('heading', { name: NEW_PLAN, level: 1 }).waitFor()
  await cardIn(again, ON_NEW_PLAN, SAVED).waitFor()
  await opens('/success-plans/new')
  const title = again.getByRole('textbox', { name: 'Title', exact: true })
  await waitUntil(
    'the draft is in the form',
    async () => (await title.inputValue()) === HALF_A_TITLE,
  )
  await opens(`/success-plans/${unopened.id}`)
  const draft = composer(again)
  await waitUntil('the draft is there', async () => (await draft.inputValue()) === HALF_AN_UPDATE)
  // Opening it has changed nothing that was waiting.
  expect((await queueOf(again)).map(({ id }) => id)).toEqual(queue.map(({ id }) => id))

  repair()
  await network.goUp()
  const accepted = () =>
    network.operations.filter(
      ({ key, upstream = 0 }) => key !== undefined && upstream >= 200 && upstream < 300,
    )
  await waitUntil('all is sent', () => accepted().length >= queue.length)
  await waitUntil('the queue is empty', async () => (await queueOf(again)).length === 0)
  const sent = accepted()
  expect(sent.map(({ replayed }) => replayed)).toEqual(queue.map(() => false))
  // Under the keys that the build before gave them, and in its order within each lane.
  const keys = sent.map(({ key }) => key)
  for (const lane of Map.groupBy(queue, (one) => one.lane).values()) {
    const ids = lane.map(({ id }) => id)
    expect(keys.filter((key) => ids.includes(key ?? ''))).toEqual(ids)
  }
  expect(new Set(keys)).toEqual(new Set(queue.map(({ id }) => id)))

  const planAt = async (id: string) =>
    ((await ada.call('GET', `/api/v1/success-plans/${id}`)) as { data: SuccessPlan }).data
  const changed = await planAt(plan.id)
  const made = await planAt(newPlan.split('/').at(-1) ?? '')
  expect([changed.title, made.title]).toEqual([RENAMED, NEW_PLAN])
  for (const text of [FIRST, SECOND]) expect(await ada.updatesWithText(plan, text)).toHaveLength(1)
  expect(await ada.updatesWithText(made, ON_NEW_PLAN)).toHaveLength(1)
  expect(await draft.inputValue()).toBe(HALF_AN_UPDATE)

  expect(network.requests('POST', TOKEN_PATH)).toHaveLength(signedIn)
  // No second database was made for what the device already holds, and no cache but the known ones.
  const places = await again.evaluate(async () => ({
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }))
  expect(places.databases).toEqual([{ name: 'cairn', version: 1 }])
  expect(places.caches.filter((name) => !/^cairn-(shell-|(config|outbox)$)/.test(name))).toEqual([])
  // The build before stays beside the present one, for tabs that still run it.
  expect(places.caches.filter((name) => name.startsWith('cairn-shell-'))).toHaveLength(2)

  // The present build keeps under the same keys what the page needs before it can read the database.
  await again.evaluate(() => localStorage.clear())
  await opens('/success-plans')
  await hasLocalKeys(again)
})
