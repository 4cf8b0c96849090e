// A backup or restore with a wrong setting or in place of a device: a stack trace, or a machine without `/dev/null`.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../../../server/ops/backup.ts'
import { FORMAT_VERSION, requireBackup } from '../../../server/ops/backups/read-backup.ts'
import { waitFor } from '../../wait-for.ts'

const COMMAND = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-backup-command-'))
  writeFileSync(join(folder, 'empty'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.for([
  ['backup', { PORT: 'high' }, 'PORT must be a whole number from 0 to 65535, not "high".'],
  [
    'restore',
    { TOKEN_KEY: 'abc' },
    'TOKEN_KEY must be 64 hexadecimal digits (openssl rand -hex 32).',
  ],
  [
    'restore',
    { BACKUP_PASSPHRASE_FILE: 'empty' },
    'BACKUP_PASSPHRASE_FILE: the file empty is empty.',
  ],
] as const)('a %s with the setting %o ends in one line', async ([command, env, words]) => {
  const child = run(process.execPath, [COMMAND, command, 'file'], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...env },
  })
  await expect(child).rejects.toMatchObject({ code: 1, stdout: '', stderr: `${words}\n` })
})

test('a backup takes the place of no device or socket, and leaves nothing behind', async () => {
  const place = join(folder, 'socket')
  const socket = createServer().listen(place)
  await once(socket, 'listening')
  const before = readdirSync(folder)
  await expect(writeBackup(place, () => Promise.resolve())).rejects.toThrow(
    `${place} is no file that a backup can replace. Name a new one.`,
  )
  expect(lstatSync(place).isSocket()).toBe(true)
  expect(readdirSync(folder)).toEqual(before)
  socket.close()
})

test('a restore from a device or pipe says that it needs a file', async () => {
  await expect(requireBackup('/dev/null', undefined)).rejects.toThrow(
    '/dev/null cannot be restored: it is read twice, which a pipe cannot be. Write it to a file first.',
  )
})

test.for([
  ['from the beginning', '', 'it is not a Cairn backup.'],
  [
    'after its header',
    `${JSON.stringify({ cairn: FORMAT_VERSION, migrations: [] })}\n`,
    'it is incomplete.',
  ],
] as const)('a file of zeros %s is refused in seconds', async ([_from, begin, reason]) => {
  const file = join(folder, 'zeros')
  writeFileSync(file, begin)
  // Sparse.
  truncateSync(file, 256 * 2 ** 20)
  const beganAt = performance.now()
  await expect(requireBackup(file, undefined)).rejects.toThrow(reason)
  expect(performance.now() - beganAt).toBeLessThan(20_000)
})

test('Ctrl+C at the passphrase ends a restore in one line', async () => {
  const file = join(folder, 'encrypted')
  await writeBackup(file, (write) => write('secret'), 'correct horse')
  const command = `${process.execPath} ${COMMAND} restore ${file}`
  // It gives the command a terminal.
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  await waitFor(() => Promise.resolve(expect(output).toContain('Passphrase of the backup: ')))
  const ended = once(child, 'close')
  child.stdin.write('\u0003')
  await ended
  expect(output.trim().split(/\s*\n/)).toEqual([
    'Passphrase of the backup:',
    'Nothing was restored.',
  ])
  expect(child.exitCode).toBe(1)
})
