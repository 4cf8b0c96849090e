// A restore that fails or is killed leaves half a database, or an empty one that looks like the restored one.
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { clusterFolder, unfinishedCluster } from '../../../server/database/cluster/folders.ts'
import { killProcesses } from '../../../server/database/cluster/processes.ts'
import { openDatabase } from '../../../server/database/database.ts'
import { seedWhenEmpty } from '../../../server/demo/seed.ts'
import { dump, writeBackup } from '../../../server/ops/backup.ts'
import { emptyImage } from '../fixtures/empty-image.ts'
import { ServerProcess } from '../fixtures/server-process.ts'
import { waitFor } from '../../wait-for.ts'
import { longTest } from '../../long-test.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const COMMAND = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
const PASSPHRASE = 'words of the operator'

let folder: string
const file = () => join(folder, 'cairn.backup')
const data = () => join(folder, 'data')
/** The database of a killed process writes files until it ends by itself. */
const deleteData = async () => {
  for (const path of [clusterFolder(data()), unfinishedCluster(data())])
    if (existsSync(path)) await killProcesses(path)
  await rm(data(), { recursive: true, force: true })
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-restore-'))
  const database = await openDatabase(undefined, await emptyImage())
  await seedWhenEmpty(database, new Date())
  await writeBackup(file(), (write) => dump(database, write), PASSPHRASE)
  await database.close()
})
const children: ServerProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
  await deleteData()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (parameters: string[], env: Record<string, string>) => {
  const child = new ServerProcess(folder, env, [process.execPath, COMMAND, ...parameters])
  children.push(child)
  return child
}
const restore = (BACKUP_PASSPHRASE = PASSPHRASE) => run(['restore', file()], { BACKUP_PASSPHRASE })
const RESTORED = /^\d+ rows restored\.\n$/

test.for(['', 'other words'])(
  'a restore with the passphrase "%s" leaves nothing in the folder that it was for',
  async (passphrase) => {
    expect(await restore(passphrase).waitForExit()).toEqual({
      code: 1,
      output: expect.stringMatching(/^\S+ cannot be restored: .*passphrase.*\.\n$/i) as string,
    })
    expect(existsSync(data())).toBe(false)
    expect((await restore().waitForExit()).output).toMatch(RESTORED)
  },
)

/** How many rows the database in the data folder has. */
async function countRows(): Promise<number> {
  const copy = join(folder, 'copy.backup')
  expect((await run(['backup', copy], {}).waitForExit()).code).toBe(0)
  const [, count] = /\nend\t(\d+)\n/.exec(readFileSync(copy, 'utf8')) ?? []
  return Number(count)
}

longTest(
  'a restore that is killed at any moment is whole or can be repeated, and the message says so',
  async () => {
    const startedAt = performance.now()
    const { output } = await restore().waitForExit()
    const tookMs = performance.now() - startedAt
    const rows = Number.parseInt(output, 10)
    expect(await countRows()).toBe(rows)
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      await deleteData()
      const killed = restore()
      await Promise.race([killed.waitForExit(), pause(tookMs * part)])
      await killed.stop('SIGKILL')
      const again = await restore().waitForExit()
      if (again.code !== 0)
        expect(again.output).toBe(
          `${file()} cannot be restored: the database is not empty. After a restore that was interrupted it is complete: start the server. Otherwise restore into an empty database.\n`,
        )
      expect([part, await countRows()]).toEqual([part, rows])
    }
  },
)

/** Processes of this program in the unfinished database. */
const inUnfinished = (program: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isProgram = basename(readlinkSync(`/proc/${pid}/exe`)) === program
        return isProgram && readlinkSync(`/proc/${pid}/cwd`) === unfinishedCluster(data())
      } catch {
        return false
      }
    })
    .map(Number)

test.runIf(process.platform === 'linux')(
  'what a killed restore had begun to create is not written to while the next one creates it',
  async () => {
    const killed = restore()
    const initdb = await waitFor(() => {
      const [pid] = inUnfinished('initdb')
      expect(pid).toBeDefined()
      return pid ?? 0
    })
    // As slow as it can be.
    process.kill(initdb, 'SIGSTOP')
    try {
      await killed.stop('SIGKILL')
      expect((await restore().waitForExit()).output).toMatch(RESTORED)
      expect(existsSync(`/proc/${initdb}/exe`)).toBe(false)
    } finally {
      if (existsSync(`/proc/${initdb}/exe`)) process.kill(initdb, 'SIGKILL')
    }
  },
)
