// A shared device: after a sign-out nothing of the last user can be read, neither on the screens nor in
// the browser's storage, also with requests in flight.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseSignOut,
  card,
  composer,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  waitForOfflineReady,
  SAVED,
} from '../fixtures/app.ts'
import {
  openSecondTab,
  expectSentOnce,
  openPlanFixture,
  freezeWithoutLocks,
  UPDATES_PATH,
} from '../fixtures/open-plan-fixture.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import {
  ADDRESS,
  DRAFTS,
  isStored,
  readAllStorage,
  OUTBOX,
  OUTBOX_COPY,
  secretsOf,
  tokensOf,
  findSecrets,
  SIGNED_OUT_RECORD,
  type Readable,
} from '../fixtures/readable-storage.ts'
import type { BrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitLonger } from '../fixtures/wait-longer.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TEXT = 'Between us: they may not renew.'
/** The requests of a start. */
const ASKED = /^\/api\/v1\/(userinfo|organisations|changes|success-plans)/
const ASKS = [/\/userinfo/, /\/organisations\//, /\/changes/, /\/success-plans\//]
const TYPED = 'An unfinished sentence'

async function registerBob({ server }: BrowserFixture): Promise<ApiUser> {
  const bob = await ApiUser.register(server.url, 'Bob Tarn')
  await bob.createOrganisation('Other Slopes')
  return bob
}

/** Waits until a tab shows the sign-in form and holds no session. */
async function isSignedOut(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).waitFor()
  await waitUntil('the session has ended', () =>
    page.evaluate(
      () => localStorage.getItem('access_token') === null && document.title.startsWith('Sign in'),
    ),
  )
}

/** Signs a user in at the open form, and waits for the whole organisation. */
async function signInHere(page: Page, person: ApiUser): Promise<void> {
  await fillSignIn(page, person)
  await pickOrganisation(page)
  await waitForOfflineReady(page)
}

longTest(
  'discarding at sign-out leaves nothing readable, in either tab or for the next user',
  async () => {
    const scene = await openPlanFixture()
    const { ada, browser, network, page } = scene
    const bob = await registerBob(scene)
    const secrets = {
      ...secretsOf(ada, scene),
      text: TEXT,
      typed: TYPED,
      ...(await tokensOf(page)),
    }
    const other = await openSecondTab(scene)
    await browser.context.setOffline(true)
    await post(page, TEXT)
    await page.getByRole('status').filter({ hasText: SAVED }).waitFor()
    await composer(page).fill(TYPED)
    const before = findSecrets(await readAllStorage(page), secrets)
    // The search must be able to find it, or it would prove nothing.
    for (const what of Object.keys(secrets).filter((one) => one !== 'typed'))
      expect(before.filter((trace) => trace.startsWith(`${what} in`))).not.toEqual([])

    await chooseSignOut(page)
    const question = page.getByRole('alertdialog', { name: 'Sign out?' })
    await question.getByRole('button', { name: 'Discard' }).click()
    for (const tab of [page, other]) {
      await isSignedOut(tab)
      expect(findSecrets(await readAllStorage(tab), secrets, [ADDRESS, SIGNED_OUT_RECORD])).toEqual(
        [],
      )
    }
    await page.goBack()
    await isSignedOut(page)
    expect(findSecrets(await readAllStorage(page), secrets, [ADDRESS, SIGNED_OUT_RECORD])).toEqual(
      [],
    )

    await browser.context.setOffline(false)
    await page.goto(scene.url)
    await signInHere(page, bob)
    expect(await planRow(page, scene.plan).count()).toBe(0)
    expect(findSecrets(await readAllStorage(page), secrets)).toEqual([])

    await chooseSignOut(page)
    await isSignedOut(page)
    await page.goto(scene.url)
    await signInHere(page, ada)
    expect(network.requests('POST', UPDATES_PATH)).toEqual([])
    expect(await ada.updatesWithText(scene.plan, TEXT)).toEqual([])
  },
)

longTest('sign-out in another tab clears a frozen tab’s half-typed text', async () => {
  const scene = await openPlanFixture()
  const { ada, page } = scene
  const secrets = { ...secretsOf(ada, scene), typed: TYPED, ...(await tokensOf(page)) }
  const other = await openSecondTab(scene)
  await composer(other).fill(TYPED)
  const thaw = await freezeWithoutLocks(scene, other)
  await chooseSignOut(page)
  await isSignedOut(page)
  await thaw()
  await isSignedOut(other)
  // What it was about to write when it was frozen it may write and delete again.
  await waitUntil('nothing of it is readable', async () => {
    const found = findSecrets(await readAllStorage(other), secrets, [ADDRESS, SIGNED_OUT_RECORD])
    return found.length === 0
  })
})

test('responses that arrive after sign-out are discarded', async () => {
  const scene = await openPlanFixture()
  const { ada, network, page, plan, url } = scene
  const bob = await registerBob(scene)
  await waitLonger(page)
  // So that the page is gone whose requests are not to be counted.
  await page.goto('about:blank')
  // An event would bring the plan that is made below.
  network.hold({ method: 'GET', path: /\/events$/ })
  const before = network.requests('GET', /\/changes/).length
  await page.goto(`${url}/success-plans/${plan.id}`)
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  // It reads once at its start, and again when the update below is answered. A reading that the server has
  // not answered yet could bring the plan that is made below.
  const read = await network.waitForRequests('GET', /\/changes/, before + 1)
  await waitUntil('the first reading is answered', () => read[before]?.status)
  const readings = network.requests('GET', /\/changes/).length
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const free = network.injectFault(
    { method: 'GET', path: ASKED },
    { kind: 'answer-held', released },
  )
  const late = await ada.createPlan({ title: 'A plan not on this device', type: 'project' })
  const secrets = {
    ...secretsOf(ada, scene),
    text: TEXT,
    'late plan': late.title,
    'late plan id': late.id,
    ...(await tokensOf(page)),
  }
  // The answers are held back: this page requests the same and is closed before they arrive.
  await post(page, TEXT)
  await waitUntil(
    'the update is answered',
    () => network.requests('POST', UPDATES_PATH)[0]?.status === 201,
  )
  await network.waitForRequests('GET', /\/changes/, readings + 1)
  await page.goto('about:blank')
  // Requests the user, the organisation, the changes, and this plan, which is not on the device.
  const began = network.exchanges.length
  await page.goto(`${url}/success-plans/${late.id}`)
  const held = await waitUntil('all requests have been made', () => {
    const requested = network.exchanges.slice(began).filter(({ path }) => ASKED.test(path))
    return ASKS.every((path) => requested.some((one) => path.test(one.path))) ? requested : null
  })
  await chooseSignOut(page)
  await isSignedOut(page)
  expect(findSecrets(await readAllStorage(page), secrets, [SIGNED_OUT_RECORD])).toEqual([])
  free()
  await signInHere(page, bob)
  release()
  await waitUntil('the held answers have arrived', () => held.every(({ status }) => status === 200))
  // The held requests are answered after the sign-out.
  await page.evaluate(async () => void (await fetch('/healthz')))
  expect(findSecrets(await readAllStorage(page), secrets)).toEqual([])
  await chooseSignOut(page)
  await isSignedOut(page)
  expect(findSecrets(await readAllStorage(page), secrets)).toEqual([])
})

test('a forced sign-out keeps only sealed operations and drafts, for the same user’s next sign-in', async () => {
  const scene = await openPlanFixture()
  const { ada, browser, network, page, server, url } = scene
  const bob = await registerBob(scene)
  const tokens = await tokensOf(page)
  const secrets = { ...secretsOf(ada, scene), text: TEXT, typed: TYPED, ...tokens }
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await page.getByRole('status').filter({ hasText: SAVED }).waitFor()
  await composer(page).fill(TYPED)
  await waitUntil('the draft is stored', () => isStored(page, TYPED))

  // A thief uses the refresh token first. When the original is used again, the server revokes the
  // whole family.
  const attacker = new ApiUser(server.url, 'A thief')
  const { refresh_token } = await attacker.refresh(tokens['refresh_token'] ?? '')
  await attacker.refresh(refresh_token)
  await expect(attacker.refresh(tokens['refresh_token'] ?? '')).rejects.toThrow('invalid_grant')
  await browser.context.setOffline(false)
  await page.getByText('You were signed out').waitFor()
  await page.getByText('1 update is waiting on this device for you').waitFor()
  await expect(attacker.call('GET', '/api/v1/userinfo')).rejects.toThrow('401')
  const left: Readable = await readAllStorage(page)
  expect(
    findSecrets(left, secrets, [ADDRESS, SIGNED_OUT_RECORD, OUTBOX, OUTBOX_COPY, DRAFTS]),
  ).toEqual([])
  expect(left[OUTBOX]).toContain(TEXT)
  expect(left[DRAFTS]).toContain(TYPED)

  // The next user neither sees nor sends it.
  await page.goto(`${url}/auth`)
  await signInHere(page, bob)
  expect(findSecrets(await readAllStorage(page), secrets, [OUTBOX, OUTBOX_COPY, DRAFTS])).toEqual(
    [],
  )
  await chooseSignOut(page)
  await isSignedOut(page)
  expect(network.requests('POST', UPDATES_PATH).filter(({ status }) => status === 201)).toEqual([])

  await page.goto(url)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await openPlan(page, scene.plan)
  await card(page, TEXT).waitFor()
  await ada.signIn()
  await expectSentOnce(scene, page, TEXT)
  expect(await composer(page).inputValue()).toBe(TYPED)
  const [update] = await ada.updatesWithText(scene.plan, TEXT)
  expect(update?.user_id).toBe(scene.organisation.user_id)
})
