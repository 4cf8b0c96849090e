// The watchdog: it acts on a database that hangs, and leaves one alone that is slow or busy with a backup.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(5 * INTERVAL_MS)
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

test('the embedded database counts as answering while the proof of a backup keeps it busy', async () => {
  const database = await openDatabase(undefined, await emptyImage())
  const throwAway = await database.openThrowAway()
  let isAnswered = false
  const { asked } = (await throwAway?.use(async (tx) => {
    const pinged = database.ping().then(() => (isAnswered = true))
    await sql`select 1`.execute(tx)
    expect(isAnswered).toBe(true)
    return { asked: pinged }
  })) ?? { asked: undefined }
  expect(await asked).toBe(true)
  await database.close()
})

const THREAD = join(import.meta.dirname, '../../../server/database/embedded/thread-watchdog.ts')

/** How a process ends that runs these statements under the watchdog of the embedded database. */
async function endOf(statements: string): Promise<{ signal: string | null; words: string }> {
  const program = `
    import { startThreadWatchdog } from ${JSON.stringify(THREAD)}
    const jobs = new Int32Array(new SharedArrayBuffer(4))
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const spin = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); }
    ${statements}`
  const folder = await mkdtemp(join(tmpdir(), 'cairn-watchdog-'))
  const file = join(folder, 'program.mjs')
  await writeFile(file, program)
  const child = spawn(process.execPath, [file])
  const [words, [, signal]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ])
  await rm(folder, { recursive: true })
  return { signal, words }
}
const GIVEN_UP = {
  signal: 'SIGKILL',
  words: 'The database has not answered for a minute. Giving up.\n',
}
const ALIVE = { signal: null, words: '' }

test('a process whose embedded database does not return is ended with one line', async () => {
  const watched = `startThreadWatchdog(async () => {}, jobs, ${INTERVAL_MS}); await pause(500)`
  expect(await endOf(`${watched}; spin(60_000)`)).toEqual(GIVEN_UP)
})

test('a process whose embedded database takes calls and never answers is ended with one line', async () => {
  const watched = `startThreadWatchdog(() => new Promise(() => {}), jobs, ${INTERVAL_MS})`
  expect(await endOf(`${watched}; await pause(60_000)`)).toEqual(GIVEN_UP)
})

test('a process whose embedded database is busy with a job is left alone', async () => {
  const watched = `startThreadWatchdog(async () => {}, jobs, 200)`
  const job = `Atomics.add(jobs, 0, 1); spin(4_000); Atomics.sub(jobs, 0, 1)`
  expect(await endOf(`${watched}; ${job}; await pause(0)`)).toEqual(ALIVE)
})

test('a process whose embedded database was closed is left alone', async () => {
  const watched = `const stop = startThreadWatchdog(async () => {}, jobs, ${INTERVAL_MS})`
  expect(await endOf(`${watched}; stop(); await pause(500); spin(1_000)`)).toEqual(ALIVE)
})
