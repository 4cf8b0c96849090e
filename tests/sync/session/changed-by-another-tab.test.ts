// Another tab refreshes, signs in or signs out while this tab uses the session as it was before.
import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const MINUTE = 60_000

function fixture(): EngineFixture {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  return stage
}

const refreshesOf = (stage: EngineFixture) =>
  stage.requests.filter(
    ({ url, body }) => url === '/oauth/token' && body?.includes('"refresh_token"'),
  )

const draftsOf = (stage: EngineFixture, user_id: string) =>
  stage.store.transact(['drafts'], 'readonly', (tx) => tx.keys('drafts', [user_id]))

test('two contexts whose access token has expired refresh it once', async () => {
  const stage = fixture()
  const one = await stage.signedInTab('ann')
  const other = await stage.tab()
  await waitFor(() => expect(one.state.lastSyncedAt.get()).not.toBeNull())
  stage.serverClockAheadMs = 20 * MINUTE
  const stale = one.session.current().session?.access_token ?? ''
  stage.requests.length = 0
  const results = await Promise.all(
    [one, other].map((tab) =>
      tab.session.refresh({ user_id: 'ann', access_token: stale, isJson: true }),
    ),
  )
  expect(results.toSorted()).toEqual(['refreshed', 'renewed'])
  expect(refreshesOf(stage)).toHaveLength(1)
})

test('an answer that comes late is repeated with new tokens, though others have expired meanwhile', async () => {
  const stage = fixture()
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBeNull())
  const access_token = tab.session.current().session?.access_token ?? ''
  stage.server.tokens.expireAll()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const isPost = ({ method, url }: { method: string; url: string }) =>
    method === 'POST' && url.endsWith('/updates')
  stage.delayRequest = (request) => (isPost(request) ? held : Promise.resolve())
  await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.requests.filter(isPost)).toHaveLength(1))
  const refreshed = await tab.session.refresh({ user_id: 'ann', access_token, isJson: true })
  expect(refreshed).toMatch(/refreshed|renewed/)
  stage.server.tokens.expireAll()
  stage.requests.length = 0
  release()
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  expect(refreshesOf(stage)).toHaveLength(1)
})

test('a rejected refresh does not end the session that another tab began meanwhile', async () => {
  const stage = fixture()
  const one = await stage.signedInTab('ann')
  const other = await stage.tab()
  await waitFor(() => expect(one.state.lastSyncedAt.get()).not.toBeNull())
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  stage.network = (request, answer) =>
    request.body?.includes('"refresh_token"')
      ? {
          status: 400,
          headers: { 'content-type': 'application/json' },
          text: '{"error":"invalid_grant"}',
        }
      : answer()
  stage.delayRequest = ({ body }) => (body?.includes('"refresh_token"') ? held : Promise.resolve())
  const access_token = one.session.current().session?.access_token ?? ''
  const refresh = one.session.refresh({ user_id: 'ann', access_token, isJson: true })
  await waitFor(() => expect(refreshesOf(stage).length).toBeGreaterThan(0))
  await stage.signIn(other, 'ann')
  release()
  expect(await refresh).toBe('refused')
  expect((await one.session.reload()).session?.user.id).toBe('ann')
})

test('a sign-out on request deletes the user’s drafts, a forced one keeps them', async () => {
  for (const forced of [true, false]) {
    const stage = fixture()
    const tab = await stage.signedInTab('ann')
    await stage.store.transact(['drafts'], 'readwrite', async (tx) => {
      tx.put('drafts', ['ann', 'north', 'update'], 'Half a sentence')
      tx.put('drafts', ['ben', 'north', 'update'], 'Another one')
    })
    if (forced) await tab.session.signOut('ann', true)
    else await tab.signOut('keep')
    expect(await draftsOf(stage, 'ann')).toHaveLength(forced ? 1 : 0)
    expect(await draftsOf(stage, 'ben')).toHaveLength(1)
  }
})

test('a late answer about one user changes nothing once another has signed in', async () => {
  const stage = fixture()
  const tab = await stage.signedInTab('ann')
  const other = await stage.tab()
  await stage.signIn(other, 'bob')
  const user = { id: 'ann', name: 'Ann, renamed' }
  await tab.session.update('ann', { user, active_organisation: { id: 'south' } })
  expect((await tab.session.reload()).session).toMatchObject({
    user: { id: 'bob' },
    active_organisation: { id: 'north' },
  })
})

test('a change that comes after the sign-out of its user tells other tabs nothing', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const received: string[] = []
  stage.ports().channel.subscribe(({ type }) => received.push(type))
  await tab.session.update('ben', { active_organisation: { id: 'south' } })
  expect(received).toEqual([])
  await tab.session.update('ann', { active_organisation: { id: 'south' } })
  expect(received).toEqual(['session'])
})
