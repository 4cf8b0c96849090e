// The browser refuses a lock at once, for example in a page that is being left: retrying without a pause would
// freeze the tab.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { locks } from '../../../src/sync/browser/web-ports.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

const LIMIT = 100

afterEach(() => void vi.restoreAllMocks())

test('pauses before it asks for the lock of the event stream again', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  stage.supportsEvents = true
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(tab.state.lastSyncedAt.get()).not.toBe(null))
  let calls = 0
  vi.spyOn(locks, 'withLock').mockImplementation(() => {
    calls += 1
    // A loop without pauses would never let the test go on.
    return calls > LIMIT ? new Promise(() => undefined) : Promise.reject(new Error('No locks.'))
  })
  tab.subscription.setVisible(true)
  await waitFor(() => expect(calls).toBeGreaterThan(1))
  expect(calls).toBeLessThan(LIMIT / 2)
  vi.restoreAllMocks()
  await waitFor(() => expect(tab.subscription.connected).toBe(true))
})
