// Another user has put a file or link where a file with secrets is written: that user reads it, or another file is
// lost.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadOrCreateTokenKey } from '../../../server/auth/token-key.ts'
import { writeBackup } from '../../../server/ops/backup.ts'
import { readBackupStatus, writeBackupStatus } from '../../../server/ops/backups/status.ts'
import { recordBackup } from '../../../server/ops/last-backup.ts'
import { isRoot } from '../../browser/fixtures/find-program.ts'

const NOBODY_UID = 65_534
const TOKEN_KEY = join(import.meta.dirname, '../../../server/auth/token-key.ts')

const FILES: { name: string; first: string; write: (folder: string) => unknown }[] = [
  {
    name: 'a.backup',
    first: 'a.backup.part',
    write: (folder) => writeBackup(join(folder, 'a.backup'), (write) => write('secret\n')),
  },
  {
    name: 'backups.json',
    first: 'backups.json.part',
    write: async (folder) => writeBackupStatus(folder, await readBackupStatus(folder)),
  },
  { name: 'last-backup', first: 'last-backup', write: recordBackup },
  { name: 'token-key', first: 'token-key.new', write: loadOrCreateTokenKey },
]

test.each(FILES.flatMap((file) => [false, true].map((isLink) => ({ ...file, isLink }))))(
  '$name is a new file of its owner where $first was there, a link: $isLink',
  async ({ name, first, write, isLink }) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-file-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [taken, other] = [join(folder, first), join(folder, 'other')]
    writeFileSync(other, 'other')
    if (isLink) symlinkSync(other, taken)
    else writeFileSync(taken, '')
    chmodSync(taken, 0o666)
    await write(folder)
    const written = lstatSync(join(folder, name))
    expect([written.isFile(), written.mode & 0o777]).toEqual([true, 0o600])
    expect(readFileSync(other, 'utf8')).toBe('other')
  },
)

test('a key of another user is not called damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  loadOrCreateTokenKey(folder)
  const path = join(folder, 'token-key')
  chmodSync(folder, 0o755)
  chmodSync(path, 0)
  const script = `
    import { requireTokenKey } from '${TOKEN_KEY}'
    requireTokenKey('${folder}')`
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    // No rights keep root from reading.
    { cwd: '/', encoding: 'utf8', ...(isRoot && { uid: NOBODY_UID, gid: NOBODY_UID }) },
  )
  expect(stderr).toContain(
    `StartError: The key in ${path} belongs to another user. Run the server as that user, or give the file back with chown.`,
  )
})
