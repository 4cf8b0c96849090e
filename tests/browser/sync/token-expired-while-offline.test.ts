// The access token expired offline. Back online it is refreshed once, and pending operations are sent;
// a failed refresh signs no one out.
import { expect, test } from 'vitest'
import { cardIn, post, SAVED } from '../fixtures/app.ts'
import type { Exchange } from '../fixtures/fault-proxy.ts'
import {
  expectOneRefresh,
  expectSentOnce,
  openPlanFixture,
  TOKEN_PATH,
  UPDATES_PATH,
  type OpenPlanFixture,
  expireAccessTokens,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { sampleOf } from '../../sample.ts'

const TEXT = 'Posted while offline.'

/** Posts offline, and waits until the access token has expired. */
async function postOffline(): Promise<OpenPlanFixture & { issued: Exchange[] }> {
  const scene = await openPlanFixture()
  await scene.browser.context.setOffline(true)
  await post(scene.page, TEXT)
  await cardIn(scene.page, TEXT, SAVED).waitFor()
  const issued = scene.network.requests('POST', TOKEN_PATH)
  await expireAccessTokens(scene)
  return { ...scene, issued }
}

const waitForResponse = ({ network }: OpenPlanFixture) =>
  waitUntil('the update is answered', () =>
    network.requests('POST', UPDATES_PATH).some(({ status }) => status === 201),
  )

async function expectTextSentOnce(scene: OpenPlanFixture): Promise<void> {
  await waitForResponse(scene)
  await scene.ada.signIn()
  await expectSentOnce(scene, scene.page, TEXT)
}

test('back online the token is refreshed once and pending updates are sent', async () => {
  const scene = await postOffline()
  await scene.browser.context.setOffline(false)
  await waitForResponse(scene)
  await expectOneRefresh(scene, scene.issued)
  await expectTextSentOnce(scene)
})

const PORTAL = '<!doctype html><title>Welcome to our Wi-Fi</title>'
const FAULTS = [
  ['503', { kind: 'answered', status: 503, body: '{"message":"Busy"}' }],
  [
    'a captive portal',
    { kind: 'answered', status: 200, headers: { 'content-type': 'text/html' }, body: PORTAL },
  ],
  ['a lost request', { kind: 'lost' }],
  ['a response lost after the tokens were rotated', { kind: 'answer-lost' }],
  ['a response cut in the middle', { kind: 'cut' }],
] as const

test.for(sampleOf(FAULTS, 1, 'refresh fails'))(
  'stays signed in and keeps pending updates when the refresh meets %s',
  async ([, fault]) => {
    const scene = await postOffline()
    const { network, page } = scene
    const repair = network.injectFault({ path: TOKEN_PATH }, fault)
    await scene.browser.context.setOffline(false)
    await network.waitForRequests('POST', TOKEN_PATH, scene.issued.length + 2)
    await cardIn(page, TEXT, SAVED).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/success-plans/${scene.plan.id}`)
    expect(network.requests('POST', UPDATES_PATH).filter(({ status }) => status === 201)).toEqual(
      [],
    )
    repair()
    await expectTextSentOnce(scene)
  },
)
