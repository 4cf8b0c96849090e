// A sign-out without a network leaves the session on the server.
import { expect, onTestFinished, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { engineTable } from '../../../contract/engine-table.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { hasEndedSessions } from '../../../src/sync/core/replay/revocations.ts'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const DAY_MS = 86_400_000
const online = new EngineFixture().network

/** A device whose server gives a revocation secret with each token. */
class Device extends EngineFixture {
  readonly revoked: unknown[] = []

  withSecrets(answer: { status: number; body?: string } = { status: 204 }): void {
    this.network = (request, respond) => {
      if (request.url === '/api/v1/revoke') {
        expect(request.headers.Authorization).toBeUndefined()
        this.revoked.push(JSON.parse(request.body ?? ''))
        return { status: answer.status, text: answer.body ?? '', headers: {} }
      }
      const given = online(request, respond)
      if (request.url !== '/oauth/token' || given.status !== 200) return given
      const tokens = JSON.parse(given.text) as { refresh_token: string }
      const user = tokens.refresh_token.split('-')[1]
      return { ...given, text: JSON.stringify({ ...tokens, revocation_secret: `secret-${user}` }) }
    }
  }

  /** Ann has signed out without a network, with an update unsent. */
  static async signedOutOffline() {
    const device = new Device()
    onTestFinished(() => device.close())
    device.withSecrets()
    const tab = await device.signedInTab('ann')
    device.network = offline
    await postUpdate(tab, 'They signed.')
    await tab.signOut('keep')
    return { device, tab }
  }

  /** Everything that is stored, as text. */
  async stored(): Promise<string> {
    const stores = ['session', 'operations', 'cache', 'drafts'] as const
    const values = await this.store.transact([...stores], 'readonly', (tx) =>
      Promise.all(stores.map((store) => tx.all(store, []))),
    )
    return JSON.stringify(values)
  }
}

test('ends the session on the server when the network returns, without a session', async () => {
  const { device, tab } = await Device.signedOutOffline()
  expect(await device.stored()).not.toMatch(/(access|refresh)-ann/)
  expect(await hasEndedSessions(device.store)).toBe(true)
  device.withSecrets()
  tab.wake()
  await waitFor(() => expect(device.revoked).toEqual([{ revocation_secret: 'secret-ann' }]))
  await waitFor(async () => expect(await hasEndedSessions(device.store)).toBe(false))
  expect(await tab.outbox.all()).toMatchObject([{ user_id: 'ann', state: 'pending' }])
})

test('ends the session by its refresh token where the server gave no secret', async () => {
  const device = new Device()
  onTestFinished(() => device.close())
  const tab = await device.signedInTab('ann')
  const refresh_token = tab.session.current().session?.refresh_token
  // It gives them from now on.
  device.withSecrets()
  await tab.signOut('keep')
  await waitFor(() => expect(device.revoked).toEqual([{ refresh_token }]))
})

test('ends the session from the service worker when the app is closed', async () => {
  const { device } = await Device.signedOutOffline()
  device.closeTabs()
  const token = { ...engineTable.token, client: async () => ({ client_id: 'app' }) }
  const replay = () =>
    replayInBackground(device.ports(), token, {
      last: false,
      sleep: async () => {},
      signal: new Cancellation(),
      reads: product,
    })
  expect(await replay()).toBe(1)
  device.withSecrets()
  expect(await replay()).toBe(0)
  expect(device.revoked).toEqual([{ revocation_secret: 'secret-ann' }])
})

test('keeps the ended session while the server is busy, and drops it where the server has no such call', async () => {
  const { device, tab } = await Device.signedOutOffline()
  device.withSecrets({ status: 503 })
  tab.wake()
  await waitFor(() => expect(device.revoked).not.toEqual([]))
  expect(await hasEndedSessions(device.store)).toBe(true)
  device.withSecrets({ status: 404, body: '{"message":"Not Found"}' })
  tab.wake()
  await waitFor(async () => expect(await hasEndedSessions(device.store)).toBe(false))
})

test('keeps the ended session where a proxy answers 404 for a server that starts', async () => {
  const { device, tab } = await Device.signedOutOffline()
  device.withSecrets({ status: 404, body: '404 page not found' })
  tab.wake()
  await waitFor(() => expect(device.revoked).not.toEqual([]))
  device.withSecrets()
  tab.wake()
  await waitFor(async () => expect(await hasEndedSessions(device.store)).toBe(false))
  expect(device.revoked.length).toBeGreaterThan(1)
})

test('drops the ended session after 60 days', async () => {
  const { device } = await Device.signedOutOffline()
  device.closeTabs()
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61 * DAY_MS)
  onTestFinished(() => now.mockRestore())
  device.withSecrets()
  await device.tab()
  await waitFor(async () => expect(await hasEndedSessions(device.store)).toBe(false))
  expect(device.revoked).toEqual([])
})

test('a lost device deletes copy and drafts, keeps the outbox sealed, and reports what waits', async () => {
  const device = new Device()
  onTestFinished(() => device.close())
  device.withSecrets()
  const tab = await device.signedInTab('ann')
  device.network = offline
  await postUpdate(tab, 'They signed.')
  await device.store.transact(['drafts'], 'readwrite', async (tx) =>
    tx.put('drafts', ['ann', 'draft'], 'An unfinished sentence'),
  )
  device.withSecrets()
  const honest = device.network
  device.network = (request, respond) =>
    request.url === '/oauth/token'
      ? {
          status: 400,
          headers: { 'content-type': 'application/json' },
          text: '{"error":"invalid_grant","code":"device_lost"}',
        }
      : honest(request, respond)
  device.server.tokens.revokeFamiliesOf('ann')
  tab.wake()
  await waitFor(() =>
    expect(device.revoked).toEqual([{ revocation_secret: 'secret-ann', unsent: 1 }]),
  )
  expect(tab.session.current()).toMatchObject({ session: null, left: { forced: true } })
  const left = await device.store.transact(['cache', 'drafts'], 'readonly', (tx) =>
    Promise.all([tx.all('cache', ['ann']), tx.all('drafts', [])]),
  )
  expect(left).toEqual([[], []])
  expect(await tab.outbox.all()).toMatchObject([{ user_id: 'ann', state: 'pending' }])
})

test('a session that the server has ended itself is not ended again', async () => {
  const device = new Device()
  onTestFinished(() => device.close())
  device.withSecrets()
  const tab = await device.signedInTab('ann')
  device.server.tokens.revokeFamiliesOf('ann')
  tab.wake()
  await waitFor(() => expect(tab.session.current().session).toBe(null))
  expect(await device.stored()).not.toContain('secret-ann')
  expect(device.revoked).toEqual([])
})
