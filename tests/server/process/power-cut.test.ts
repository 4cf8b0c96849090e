// The power fails at any moment: confirmed writes are there after the restart.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openDurable } from '../../../server/database/embedded/pglite.ts'
import { newFolder } from '../fixtures/server-process.ts'
import { seededRng, FailingDisk } from '../fixtures/failing-disk.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let folder: Awaited<ReturnType<typeof newFolder>>
beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterAll(() => folder.remove())

const SEEDS = 6
const CUTS_PER_SEED = 3
const WRITES = 60

interface Cut {
  dataDir: string
  confirmed: Map<number, string>
  /** The write in flight: completely there or not at all. */
  underWay: { id: number; text: string } | undefined
}

/** Runs the seed's writes; the power fails at some of the flushes, each time with another disk image. */
async function live(seed: number, keepsItsWord: boolean): Promise<Cut[]> {
  const rng = seededRng(seed)
  const disk: { files?: FailingDisk } = {}
  const { pglite } = await openDurable(folder.data, undefined, (path) => {
    disk.files = new FailingDisk(path, keepsItsWord)
    return disk.files
  })
  await pglite.exec('create table kept (id integer primary key, text text not null)')
  const confirmed = new Map<number, string>()
  let underWay: Cut['underWay']
  const cuts: Cut[] = []
  const cut = () => {
    const dataDir = join(folder.path, `cut-${seed}-${cuts.length}`)
    cuts.push({ dataDir, confirmed: new Map(confirmed), underWay })
    disk.files?.cutPower(join(dataDir, 'database'), rng)
  }
  if (disk.files)
    disk.files.beforeFlush = () => {
      if (cuts.length < CUTS_PER_SEED && rng() < CUTS_PER_SEED / WRITES) cut()
    }
  for (let write = 0; write < WRITES; write += 1) {
    const id = Math.floor(rng() * 40)
    const text = `${write} `.repeat(1 + Math.floor(rng() * 2_000))
    underWay = { id, text }
    await pglite.query(
      'insert into kept values ($1, $2) on conflict (id) do update set text = excluded.text',
      [id, text],
    )
    confirmed.set(id, text)
    underWay = undefined
    if (rng() < 0.1) await pglite.exec('checkpoint')
  }
  while (cuts.length < CUTS_PER_SEED) cut()
  await pglite.close()
  return cuts
}

/** What is wrong after the restart; undefined when everything is right. */
async function wrongWith({ dataDir, confirmed, underWay }: Cut): Promise<string | undefined> {
  try {
    const { pglite } = await openDurable(dataDir)
    const { rows } = await pglite.query<{ id: number; text: string }>('select * from kept')
    // Also by the index, which is written separately from the rows.
    await pglite.exec('set enable_seqscan = off; set enable_bitmapscan = off')
    const byIndex = await pglite.query('select id, text from kept where id >= 0')
    await pglite.exec("insert into kept values (1000, 'and on')")
    await pglite.close()
    if (byIndex.rows.length !== rows.length) return 'The index has other rows than the table.'
    const found = new Map(rows.map(({ id, text }) => [id, text]))
    for (const [id, text] of confirmed) {
      const isUnderWay = underWay?.id === id && found.get(id) === underWay.text
      if (found.get(id) !== text && !isUnderWay) return `${id} is lost.`
    }
    if (rows.length > confirmed.size + (underWay ? 1 : 0)) return 'There is more than was written.'
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function wrongAfterCuts(seeds: number, keepsItsWord: boolean): Promise<string[]> {
  const wrong: string[] = []
  for (let seed = 1; seed <= seeds; seed += 1) {
    await folder.reset()
    await mkdir(folder.data, { recursive: true })
    for (const cut of await live(seed, keepsItsWord)) {
      const what = await wrongWith(cut)
      if (what !== undefined) wrong.push(`seed ${seed}: ${what}`)
    }
  }
  return wrong
}

test(`power cuts lose nothing confirmed (${SEEDS * CUTS_PER_SEED} cuts)`, async () => {
  expect(await wrongAfterCuts(SEEDS, true)).toEqual([])
})

test('a disk that does not flush is detected by these cuts', async () => {
  expect((await wrongAfterCuts(2, false)).length).toBeGreaterThan(0)
})
