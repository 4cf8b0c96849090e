// A device that several people use: after a sign-out nothing of the one before can be read, neither by
// looking nor by searching all that the browser has stored, whatever was still under way.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  askToSignOut,
  card,
  composer,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  readyForTheAir,
  SAVED,
} from './app.ts'
import { anotherTab, areSentOnce, atAPlan, freezeAtRest, UPDATES } from './at-a-plan.ts'
import { Person } from './person.ts'
import {
  ADDRESS,
  DRAFTS,
  everythingReadable,
  OUTBOX,
  secretsOf,
  tokensOf,
  traces,
  WHO_LEFT,
  type Readable,
} from './readable.ts'
import type { Scene } from './scene.ts'
import { until } from './until.ts'

const TEXT = 'Between us: they may not renew.'
/** What a start asks for. */
const ASKED = /^\/api\/v1\/(userinfo|organisations|changes|success-plans)/
const ASKS = [/\/userinfo/, /\/organisations\//, /\/changes/, /\/success-plans\//]
const TYPED = 'Half a sentence that nobody'

async function registerBob({ server }: Scene): Promise<Person> {
  const bob = await Person.register(server.url, 'Bob Tarn')
  await bob.found('Other Slopes')
  return bob
}

/** Waits until a tab shows the way in, and knows of nobody any more. */
async function isSignedOut(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).waitFor()
  await until('nobody is signed in', () =>
    page.evaluate(
      () => localStorage.getItem('access_token') === null && document.title.startsWith('Sign in'),
    ),
  )
}

/** Signs somebody in at the form that stands there, and waits for the whole organisation. */
async function signInHere(page: Page, person: Person): Promise<void> {
  await fillSignIn(page, person)
  await pickOrganisation(page)
  await readyForTheAir(page)
}

test('chosen, and what waited discarded: nothing, in either tab, also for the next user', async () => {
  const scene = await atAPlan()
  const { ada, browser, network, page } = scene
  const bob = await registerBob(scene)
  const secrets = { ...secretsOf(ada, scene), text: TEXT, typed: TYPED, ...(await tokensOf(page)) }
  const other = await anotherTab(scene)
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await page.getByRole('status').filter({ hasText: SAVED }).waitFor()
  await composer(page).fill(TYPED)
  const before = traces(await everythingReadable(page), secrets)
  // Or the search would find nothing because it looks in the wrong places.
  for (const what of Object.keys(secrets).filter((one) => one !== 'typed'))
    expect(before.filter((trace) => trace.startsWith(`${what} in`))).not.toEqual([])

  await askToSignOut(page)
  const question = page.getByRole('alertdialog', { name: 'Sign out?' })
  await question.getByRole('button', { name: 'Discard' }).click()
  for (const tab of [page, other]) {
    await isSignedOut(tab)
    expect(traces(await everythingReadable(tab), secrets, [ADDRESS, WHO_LEFT])).toEqual([])
  }
  await page.goBack()
  await isSignedOut(page)
  expect(traces(await everythingReadable(page), secrets, [ADDRESS, WHO_LEFT])).toEqual([])

  await browser.context.setOffline(false)
  await page.goto(scene.url)
  await signInHere(page, bob)
  expect(await planRow(page, scene.plan).count()).toBe(0)
  expect(traces(await everythingReadable(page), secrets)).toEqual([])

  await askToSignOut(page)
  await isSignedOut(page)
  await page.goto(scene.url)
  await signInHere(page, ada)
  expect(network.seen('POST', UPDATES)).toEqual([])
  expect(await ada.updatesSaying(scene.plan, TEXT)).toEqual([])
})

test('in another tab, while this one was frozen with half a sentence: it is not kept', async () => {
  const scene = await atAPlan()
  const { ada, page } = scene
  const secrets = { ...secretsOf(ada, scene), typed: TYPED, ...(await tokensOf(page)) }
  const other = await anotherTab(scene)
  await composer(other).fill(TYPED)
  const thaw = await freezeAtRest(scene, other)
  await askToSignOut(page)
  await isSignedOut(page)
  await thaw()
  await isSignedOut(other)
  expect(traces(await everythingReadable(other), secrets, [ADDRESS, WHO_LEFT])).toEqual([])
})

test('answers that come after it land nowhere, neither before nor after the next sign-in', async () => {
  const scene = await atAPlan()
  const { ada, network, page, url } = scene
  const bob = await registerBob(scene)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const readings = network.seen('GET', /\/changes/).length
  const free = network.break({ method: 'GET', path: ASKED }, { kind: 'held', released })
  const late = await ada.createPlan({ title: 'A plan that nobody here has seen', type: 'project' })
  const secrets = {
    ...secretsOf(ada, scene),
    text: TEXT,
    'late plan': late.title,
    'late plan id': late.id,
    ...(await tokensOf(page)),
  }
  // Answered, and not read back: this page, too, asks in vain, and goes before it hears.
  await post(page, TEXT)
  await until('it is answered', () => network.seen('POST', UPDATES)[0]?.status === 201)
  await network.sees('GET', /\/changes/, readings + 1)
  // Asks for the user, the organisation, what changed, and this plan, which is not on the device.
  const began = network.exchanges.length
  await page.goto(`${url}/success-plans/${late.id}`)
  const held = await until('all is asked for', () => {
    const asked = network.exchanges.slice(began).filter(({ path }) => ASKED.test(path))
    return ASKS.every((path) => asked.some((one) => path.test(one.path))) ? asked : null
  })
  await askToSignOut(page)
  await isSignedOut(page)
  expect(traces(await everythingReadable(page), secrets, [WHO_LEFT])).toEqual([])
  free()
  await signInHere(page, bob)
  release()
  await until('the late answers are here', () => held.every(({ status }) => status === 200))
  // What is asked now is answered after them.
  await page.evaluate(async () => void (await fetch('/healthz')))
  expect(traces(await everythingReadable(page), secrets)).toEqual([])
  await askToSignOut(page)
  await isSignedOut(page)
  expect(traces(await everythingReadable(page), secrets)).toEqual([])
})

test('by force: only what waits, sealed, and what was being typed; sent when the same user is back', async () => {
  const scene = await atAPlan()
  const { ada, browser, network, page, server, url } = scene
  const bob = await registerBob(scene)
  const tokens = await tokensOf(page)
  const secrets = { ...secretsOf(ada, scene), text: TEXT, typed: TYPED, ...tokens }
  await browser.context.setOffline(true)
  await post(page, TEXT)
  await page.getByRole('status').filter({ hasText: SAVED }).waitFor()
  await composer(page).fill(TYPED)

  // Somebody has taken the refresh token and goes on with it. When the taken one is seen again, the
  // server ends the whole family.
  const thief = new Person(server.url, 'A thief')
  const { refresh_token } = await thief.refresh(tokens['refresh_token'] ?? '')
  await thief.refresh(refresh_token)
  await expect(thief.refresh(tokens['refresh_token'] ?? '')).rejects.toThrow('invalid_grant')
  await browser.context.setOffline(false)
  await page.getByText('You were signed out').waitFor()
  await page.getByText('1 update waits on this device for you').waitFor()
  await expect(thief.call('GET', '/api/v1/userinfo')).rejects.toThrow('401')
  const left: Readable = await everythingReadable(page)
  expect(traces(left, secrets, [ADDRESS, WHO_LEFT, OUTBOX, DRAFTS])).toEqual([])
  expect(left[OUTBOX]).toContain(TEXT)
  expect(left[DRAFTS]).toContain(TYPED)

  // The next user neither sees nor sends it.
  await page.goto(`${url}/auth`)
  await signInHere(page, bob)
  expect(traces(await everythingReadable(page), secrets, [OUTBOX, DRAFTS])).toEqual([])
  await askToSignOut(page)
  await isSignedOut(page)
  expect(network.seen('POST', UPDATES).filter(({ status }) => status === 201)).toEqual([])

  await page.goto(url)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await openPlan(page, scene.plan)
  await card(page, TEXT).waitFor()
  await ada.signIn()
  await areSentOnce(scene, page, TEXT)
  expect(await composer(page).inputValue()).toBe(TYPED)
  const [update] = await ada.updatesSaying(scene.plan, TEXT)
  expect(update?.user_id).toBe(scene.organisation.user_id)
})
