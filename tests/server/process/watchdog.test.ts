// The watchdog: it acts on a database that hangs, and leaves one alone that is slow or busy with a backup.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../../server/database/database.ts'
import { startWatchdog } from '../../../server/database/watchdog.ts'
import { emptyImage } from '../fixtures/empty-image.ts'

vi.setConfig({ testTimeout: 120_000 })

const INTERVAL_MS = 20

test('a database that never answers is reported after six intervals, and again after six more', async () => {
  const pings = vi.fn(() => new Promise(() => undefined))
  const startedAt = performance.now()
  const times: number[] = []
  await new Promise<void>((resolve) => {
    const stop = startWatchdog(
      pings,
      () => {
        times.push(performance.now() - startedAt)
        if (times.length < 2) return
        stop()
        resolve()
      },
      INTERVAL_MS,
    )
  })
  expect(times[0]).toBeGreaterThanOrEqual(6 * INTERVAL_MS - 1)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(6 * INTERVAL_MS - 1)
  // A new question would only wait behind the first one.
  expect(pings).toHaveBeenCalledOnce()
})

test('a database that answers, if late or after failures, is left alone', async () => {
  let asked = 0
  const onHang = vi.fn()
  await new Promise<void>((resolve) => {
    const stop = startWatchdog(
      async () => {
        asked += 1
        if (asked === 30) {
          stop()
          resolve()
        }
        if (asked % 3 !== 0) throw new Error('not now')
      },
      onHang,
      INTERVAL_MS,
    )
  })
  expect(onHang).not.toHaveBeenCalled()
})

test('the embedded database counts as answering while a backup keeps it busy', async () => {
  const database = await openDatabase(undefined, await emptyImage())
  let finish = () => {}
  let isAnswered = false
  const begun = new Promise<void>((begin) => {
    void database.snapshot(async (tx) => {
      await sql`select 1`.execute(tx)
      begin()
      await new Promise<void>((resolve) => (finish = resolve))
    })
  })
  await begun
  await database.ping()
  finish()
  // Any other transaction delays the answer.
  const other = database.system(async (tx) => {
    const asked = database.ping().then(() => (isAnswered = true))
    await sql`select 1`.execute(tx)
    expect(isAnswered).toBe(false)
    return { asked }
  })
  await (
    await other
  ).asked
  await database.close()
})
