// The access token ran out in the air. Back on the ground it is renewed once, and what waits is sent;
// only a server that refuses signs anybody out, and even then nothing is lost.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  card,
  cardIn,
  everythingStored,
  fillSignIn,
  openPlan,
  pickOrganisation,
  planRow,
  post,
  readyForTheAir,
  SAVED,
  signIn,
} from './app.ts'
import { Person } from './person.ts'
import { setScene, type Scene } from './scene.ts'
import { until } from './until.ts'

const UPDATES = /\/updates$/
const TOKEN = /^\/oauth\/token$/
const TEXT = 'Said between two airports.'
const LIFETIME = 5

/** Signs in, goes into the air, says something, and waits until the access token has run out. */
async function saySomethingInTheAir(): Promise<Scene & { page: Page; signedIn: number }> {
  const scene = await setScene({ accessTokenSeconds: LIFETIME })
  const page = await scene.browser.open()
  await signIn(page, scene.url, scene.ada)
  await readyForTheAir(page)
  await openPlan(page, scene.plan)
  await scene.browser.context.setOffline(true)
  await post(page, TEXT)
  await cardIn(page, TEXT, SAVED).waitFor()
  const issued = scene.network.seen('POST', TOKEN)
  const expires = Number(issued.at(-1)?.at) + (LIFETIME + 1) * 1_000
  await until('the access token runs out', () => Date.now() > expires)
  return { ...scene, page, signedIn: issued.length }
}

async function isSentOnce({ ada, plan, network, page }: Scene & { page: Page }): Promise<void> {
  await until('the update is answered', () =>
    network.seen('POST', UPDATES).some(({ status }) => status === 201),
  )
  await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  await ada.signIn()
  expect(await ada.updatesSaying(plan, TEXT)).toHaveLength(1)
}

test('online again: one refresh, then what waited', async () => {
  const scene = await saySomethingInTheAir()
  await scene.browser.context.setOffline(false)
  await isSentOnce(scene)
  const refreshes = scene.network.seen('POST', TOKEN).slice(scene.signedIn)
  expect(refreshes.map(({ status }) => status)).toEqual([200])
})

const PORTAL = '<!doctype html><title>Welcome to our Wi-Fi</title>'
test.for([
  ['503', { kind: 'answered', status: 503, body: '{"message":"Busy"}' }],
  [
    'a captive portal',
    { kind: 'answered', status: 200, headers: { 'content-type': 'text/html' }, body: PORTAL },
  ],
  ['a cut', { kind: 'lost' }],
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

test('the refresh is refused: signed out, sealed, and sent once the same user is back', async () => {
  const scene = await saySomethingInTheAir()
  const { ada, network, page, plan, server, url } = scene
  const bob = await Person.register(server.url, 'Bob Tarn')
  await bob.found('Other Slopes')
  const refuse = network.break(
    { path: TOKEN },
    {
      kind: 'answered',
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"invalid_grant","error_description":"Revoked.","message":"Revoked."}',
    },
  )
  await scene.browser.context.setOffline(false)
  await page.getByText('1 update waits on this device for you').waitFor()
  await page.getByText('You were signed out').waitFor()
  expect(new URL(page.url()).pathname).toBe('/auth')
  refuse()

  // Nothing that was read for Ada is left, and her update is there sealed.
  const sealed = await everythingStored(page)
  for (const read of [plan.title, scene.unopened.title, scene.account.name, ada.email])
    expect(sealed).not.toContain(read)
  expect(sealed).toContain(TEXT)

  await page.goto(`${url}/auth`)
  await fillSignIn(page, bob)
  await pickOrganisation(page)
  await readyForTheAir(page)
  expect(await page.getByText(TEXT).count()).toBe(0)
  expect(await page.getByText(/waiting/).count()).toBe(0)
  const posts = network.seen('POST', UPDATES).filter(({ status }) => status === 201)
  expect(posts).toEqual([])
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Email').waitFor()

  await page.goto(url)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await until('the update is answered', () =>
    network.seen('POST', UPDATES).some(({ status }) => status === 201),
  )
  await planRow(page, plan).click()
  await card(page, TEXT).waitFor()
  await ada.signIn()
  const [update, ...more] = await ada.updatesSaying(plan, TEXT)
  expect(more).toEqual([])
  expect(update?.user_id).toBe(scene.organisation.user_id)
})
