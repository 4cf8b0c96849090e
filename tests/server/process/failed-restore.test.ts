// A restore that fails or is killed leaves half a database, or an empty one that looks like the restored one.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../server/database/database.ts'
import { seedWhenEmpty } from '../../../server/demo/seed.ts'
import { dump, writeBackup } from '../../../server/ops/backup.ts'
import { emptyImage } from '../fixtures/empty-image.ts'
import { ServerProcess } from '../fixtures/server-process.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const COMMAND = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
const PASSPHRASE = 'words of the operator'

let folder: string
const file = () => join(folder, 'cairn.backup')
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
  await rm(join(folder, 'data'), { recursive: true, force: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const restore = (BACKUP_PASSPHRASE = PASSPHRASE) => {
  const command = [process.execPath, COMMAND, 'restore', file()]
  const child = new ServerProcess(folder, { BACKUP_PASSPHRASE }, command)
  children.push(child)
  return child
}

test.for(['', 'other words'])(
  'a restore with the passphrase "%s" leaves nothing in the folder that it was for',
  async (passphrase) => {
    expect(await restore(passphrase).waitForExit()).toEqual({
      code: 1,
      output: expect.stringMatching(/^\S+ cannot be restored: .*passphrase.*\.\n$/i) as string,
    })
    expect(existsSync(join(folder, 'data'))).toBe(false)
    expect((await restore().waitForExit()).output).toMatch(/^\d+ rows restored\.\n$/)
  },
)
