// The path to PostgreSQL breaks without an error, as behind a firewall that forgets connections: a statement waits for
// its answer for hours, and with it every write of its organisation and the stop of the server.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import { newDatabase } from './databases.ts'

const { folder: cluster } = inject('postgres') ?? { folder: '' }

const sockets: Socket[] = []
let isCut = false
const proxy = createServer((near) => {
  const far = connect(join(cluster, '.s.PGSQL.5432'))
  sockets.push(near, far)
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (part: Buffer) => isCut || to.write(part))
    from.on('end', () => isCut || to.end())
    from.on('error', () => undefined)
  }
})
let url: (role: string) => string

beforeAll(async () => {
  const database = await newDatabase(cluster)
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  url = (role) => `postgres://${role}@127.0.0.1:${port}/${database}`
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
})

test('a statement that waits on a dead path fails as the database’s failure, and the stop ends', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const opened = await openPostgresDatabase({ url: url('cairn_app'), ownerUrl: url('cairn_owner') })
  const waiting = opened.system(async (tx) => {
    await sql`select 1`.execute(tx)
    isCut = true
    await sql`select 1`.execute(tx)
  })
  await expect(waiting).rejects.toMatchObject({ name: 'DatabaseUnavailableError' })
  const stuck = opened.system((tx) => sql`select 1`.execute(tx)).catch(() => undefined)
  await opened.close()
  await stuck
  spy.mockRestore()
})

test('a statement that takes long is left alone while the database answers others', async () => {
  isCut = false
  const opened = await openPostgresDatabase({ url: url('cairn_app'), ownerUrl: url('cairn_owner') })
  const { rows } = await opened.system((tx) =>
    sql<{ done: boolean }>`select true as done from pg_sleep(17)`.execute(tx),
  )
  expect(rows).toEqual([{ done: true }])
  await opened.close()
})
