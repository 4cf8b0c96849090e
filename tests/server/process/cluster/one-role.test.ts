// With one role for the tables and the requests, the server does not start on PostgreSQL 16 or newer: who makes a role
// there is its member, but must not take it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findPrograms } from '../../../../server/database/cluster/programs.ts'
import {
  OWNER,
  createCluster,
  startPostmaster,
  type Postmaster,
} from '../../../../server/database/cluster/postmaster.ts'
import { openPostgresDatabase } from '../../../../server/database/database.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
let postmaster: Postmaster
const urlOf = (role: string, database: string) =>
  `postgres://${role}@localhost/${database}?host=${encodeURIComponent(join(folder, 'postgres'))}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-one-role-'))
  const programs = await findPrograms(folder)
  if ('reason' in programs) throw new Error(programs.reason)
  await createCluster(join(folder, 'postgres'), programs)
  postmaster = await startPostmaster(join(folder, 'postgres'), programs)
})
afterAll(async () => {
  await postmaster.stop()
  await rm(folder, { recursive: true, force: true })
})

test('one role that may create roles takes those that it has made', async () => {
  const superuser = new Client({ connectionString: urlOf(OWNER, 'postgres') })
  await superuser.connect()
  await superuser.query('create role only_one login createrole')
  await superuser.query('create database one_role owner only_one')
  const { rows } = await superuser.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  )
  await superuser.end()
  expect(Number(rows[0]?.version)).toBeGreaterThanOrEqual(160_000)
  const url = urlOf('only_one', 'one_role')
  // The second start finds what the first one granted.
  for (const start of ['first', 'second']) {
    const opened = await openPostgresDatabase({ url, ownerUrl: url })
    const found = await Promise.all([
      opened.tenant(uuidv7(), (tx) => tx.selectFrom('organisations').select('id').execute()),
      opened.auth((tx) => tx.selectFrom('users').select('id').execute()),
      opened.system((tx) => tx.selectFrom('mails').select('id').execute()),
    ])
    await opened.close()
    expect([start, found]).toEqual([start, [[], [], []]])
  }
})
