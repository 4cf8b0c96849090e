// @vitest-environment jsdom
// A session ends while no page sees it, as by the service worker: the next page shows what was its user's.
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { IndexedDbStore } from '../../../src/sync/browser/indexeddb-store.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import { createSync } from '../../../src/sync/client.ts'
import { SESSION_KEY } from '../../../src/sync/core/session-store.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'

test('the screens of a page that begins after the end of the session are cleared, once', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await new IndexedDbStore().transact(['session'], 'readwrite', async (tx) =>
    tx.put('session', SESSION_KEY, { seq: 5, session: null }),
  )
  const clear = vi.fn()
  const client = createSync(async (page) => startEngine(page, product, { ...screenCache, clear }))
  await client.start()
  const { session } = await client.engine()
  await session.reload()
  expect(clear).toHaveBeenCalledOnce()
})
