// A data folder of the embedded database is moved to PostgreSQL: whole or not at all, wherever it is killed.
import { existsSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { killProcesses } from '../../../../server/database/cluster/processes.ts'
import { openDatabase } from '../../../../server/database/database.ts'
import { emptyImage } from '../../fixtures/empty-image.ts'
import { ServerProcess, newFolder } from '../../fixtures/server-process.ts'
import { sampleOf } from '../../../sample.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const START = join(import.meta.dirname, '../../../../server/start.ts')
const HIDE = join(import.meta.dirname, '../../fixtures/without-postgres.ts')
/** As many as the free plan allows, less one. */
const RECORDS = 4

let folder: Awaited<ReturnType<typeof newFolder>>
/** A data folder that a server wrote with the embedded database, and what it answered. */
let old: string
let headers: Record<string, string>
let answers: unknown[]
const children: ServerProcess[] = []
const start = (command?: string[]) => {
  const child = new ServerProcess(folder.path, {}, command)
  children.push(child)
  return child
}
const inData = (name: string) => join(folder.data, name)
const PATHS = ['/api/v1/accounts?per_page=500', '/api/v1/changes?since=0', '/api/v1/organisations']
const ask = (server: ServerProcess) =>
  Promise.all(
    PATHS.map(async (path) => {
      const { status, json } = await server.call('GET', path, undefined, headers)
      expect(status).toBe(200)
      return json
    }),
  )

beforeAll(async () => {
  folder = await newFolder()
  old = join(folder.path, 'old')
  await (await openDatabase(folder.data, await emptyImage())).close()
  const server = await start([process.execPath, '--import', HIDE, START]).ready()
  headers = await server.register('mia@example.com')
  for (let at = 0; at < RECORDS; at += 1)
    await server.call('POST', '/api/v1/accounts', { name: `Zoë’s no. ${at}` }, headers)
  answers = await ask(server)
  await server.stop('SIGTERM')
  await cp(folder.data, old, { recursive: true })
})
async function restoreOld() {
  await rm(folder.data, { recursive: true, force: true })
  await cp(old, folder.data, { recursive: true })
}
beforeEach(restoreOld)
async function endAll() {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
  for (const path of [inData('postgres'), inData('postgres.new')])
    if (existsSync(path)) await killProcesses(path)
}
afterEach(endAll)
afterAll(() => folder.remove())

test('all answers are as before, and the old database is kept under another name', async () => {
  const onATerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true']
  const server = await start([process.execPath, ...onATerminal, START]).ready()
  expect(await ask(server)).toEqual(answers)
  expect(server.output).toMatch(
    /^The data is in PostgreSQL now\. \S+database-before-postgres holds the old database: delete it/m,
  )
  expect(existsSync(inData('database'))).toBe(false)
  expect(existsSync(inData('database-before-postgres/PG_VERSION'))).toBe(true)
  expect(existsSync(inData('rows-to-move'))).toBe(false)
  const added = await server.call('POST', '/api/v1/accounts', { name: 'New' }, headers)
  expect(added.status).toBe(201)
  await server.stop('SIGTERM')
  expect((await start().ready()).output).not.toContain('is in PostgreSQL now')
})

/** What can be seen in the data folder when each step of the move begins or ends. */
const STEPS: Record<string, () => boolean> = {
  'while rows are read': () => existsSync(inData('rows-to-move.part')),
  'while the database is created': () => existsSync(inData('postgres.new')),
  'while rows are restored': () =>
    existsSync(inData('rows-to-move')) && existsSync(inData('postgres.new/base/16385')),
  'after rows are restored': () =>
    !existsSync(inData('rows-to-move')) && existsSync(inData('postgres.new/base/16385')),
  'once the new database is in its place': () => existsSync(inData('postgres')),
  'once the old database is renamed': () => existsSync(inData('database-before-postgres')),
}

test.each(sampleOf(Object.entries(STEPS), 1, 'steps of a move'))(
  'a kill %s loses nothing',
  async (_step, hasBegun) => {
    let killed = start()
    while (!hasBegun()) {
      if (killed.process.exitCode !== null) throw new Error(killed.output)
      if (killed.output.includes('Cairn is at')) {
        // A step of milliseconds was over before it was seen: from the beginning.
        await endAll()
        await restoreOld()
        killed = start()
      }
      await pause(1)
    }
    await killed.stop('SIGKILL')
    expect(existsSync(inData('database')) || existsSync(inData('postgres'))).toBe(true)
    const server = await start().ready()
    expect(await ask(server)).toEqual(answers)
    expect(existsSync(inData('postgres'))).toBe(true)
    expect(existsSync(inData('postgres.new'))).toBe(false)
    expect(existsSync(inData('rows-to-move'))).toBe(false)
  },
)

test('a move that fails is reported in one line and leaves the old database in use', async () => {
  await rm(inData('database/global'), { recursive: true })
  const { code, output } = await start().waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(
    /^The data in \S+ was not moved to PostgreSQL and is unchanged: The database in .+$/m,
  )
  expect(existsSync(inData('database'))).toBe(true)
  expect(existsSync(inData('postgres'))).toBe(false)
})
