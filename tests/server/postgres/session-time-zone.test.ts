// An instant of long ago, or of the year 1, cannot be read from a PostgreSQL whose time zone is not UTC: each answer
// with it is an error of the server.
import { afterEach, expect, inject, test } from 'vitest'
import type { Tx } from '../../../server/database/connection.ts'
import { openPostgresDatabase, type Database } from '../../../server/database/database.ts'
import { asSuperuser, newDatabase, urlsOf } from './databases.ts'

const { folder: cluster } = inject('postgres') ?? { folder: '' }
let opened: Database | undefined
afterEach(() => opened?.close())

test.each(['Europe/Copenhagen', 'America/New_York'])(
  'instants are read as they were written where the database is in %s',
  async (zone) => {
    const name = await newDatabase(cluster)
    await asSuperuser(cluster, 'postgres', `alter database ${name} set timezone = '${zone}'`)
    opened = await openPostgresDatabase(urlsOf(cluster, name))
    const created_at = '1890-01-01T00:00:00.000Z'
    const updated_at = '0001-01-01T00:00:00.000Z'
    const user = { name: 'Mia', email: 'mia@example.com', password_hash: null, timezone: 'UTC' }
    const values = { id: '01890000-0000-7000-8000-000000000000', ...user, created_at, updated_at }
    const writeAndRead = async (tx: Tx) => {
      await tx.insertInto('users').values(values).execute()
      return tx.selectFrom('users').select(['created_at', 'updated_at']).execute()
    }
    expect(await opened.system(writeAndRead)).toEqual([{ created_at, updated_at }])
    const proof = await opened.openThrowAway()
    expect(await proof?.use(writeAndRead)).toEqual([{ created_at, updated_at }])
    await proof?.close()
  },
)
