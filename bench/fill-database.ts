// A data folder with the number of plans that a measurement needs, and signed-in users.
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { openDatabase, type Database } from '../server/database/database.ts'
import { sha256 } from '../server/hash.ts'

const STATUSES = ['in-progress', 'planned', 'in-progress', 'paused', 'completed']
const HEALTHS = ['on-track', 'at-risk', 'off-track']
const DAY = 86_400_000
const CHUNK = 500

export interface SeedResult {
  organisation: { id: string; name: string }
  /** Members of the organisation: each has a rate limit of its own. */
  people: { id: string; access_token: string }[]
  plans: string[]
}

const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))
const from = <T>(values: readonly T[], index: number) => values[index % values.length] as T

interface Size {
  plans: number
  people: number
  /** 100 by default. */
  accounts?: number
  /** For each plan; one by default. */
  updates?: number
}

/** Fills the new folder `dataDir` with one organisation. */
export async function fill(dataDir: string, size: Size): Promise<SeedResult> {
  const database = await openDatabase(dataDir)
  const filled = await fillDatabase(database, size)
  await database.vacuum()
  await database.close()
  return filled
}

/** Fills a database with one organisation more. */
export async function fillDatabase(database: Database, size: Size): Promise<SeedResult> {
  const now = Date.now()
  const at = new Date(now).toISOString()
  const day = (offset: number) => new Date(now + offset * DAY).toISOString().slice(0, 10)
  const organisation = { id: uuidv7(), name: 'Ridge and Partners' }
  const people = list(size.people, () => ({ id: uuidv7(), family: uuidv7(), token: newToken() }))
  const founder = people[0]?.id ?? ''
  const stamps = { created_at: at, updated_at: at }
  let version = 1_000
  const inOrganisation = () => ({ organisation_id: organisation.id, version: (version += 1) })
  const accounts = list(size.accounts ?? 100, (index) => ({
    ...inOrganisation(),
    ...stamps,
    id: uuidv7(),
    name: `Harbour ${index}`,
    status: 'active',
    currency: 'EUR',
    created_by: founder,
  }))
  const plans = list(size.plans, (index) => ({
    ...inOrganisation(),
    ...stamps,
    id: uuidv7(),
    title: `Launch the analytics workspace, part ${index}`,
    type: 'customer',
    status: from(STATUSES, index),
    health: from(HEALTHS, index),
    progress: index % 101,
    description: 'From spreadsheets to one shared workspace, one team after the other. '.repeat(4),
    start_date: day(-40 - (index % 30)),
    end_date: day((index * 7) % 120),
    account_id: from(accounts, index).id,
    owner_id: from(people, index).id,
    last_update_at: at,
    created_by: founder,
  }))
  const planOfEachUpdate = plans.flatMap((plan) => list(size.updates ?? 1, () => plan))
  const updates = planOfEachUpdate.map((plan) => ({
    ...inOrganisation(),
    id: uuidv7(),
    success_plan_id: plan.id,
    user_id: plan.owner_id,
    body: 'Kick-off done, the data team has joined.',
    progress_from: 0,
    progress_to: plan.progress,
    written_at: at,
    created_at: at,
  }))
  await database.system(async (tx) => {
    const insert = async <T extends Parameters<typeof tx.insertInto>[0]>(
      table: T,
      rows: object[],
    ) => {
      for (let index = 0; index < rows.length; index += CHUNK)
        await tx
          .insertInto(table)
          .values(rows.slice(index, index + CHUNK) as never)
          .execute()
    }
    const person = { name: 'Ada Fell', password_hash: '-', ...stamps }
    await insert(
      'users',
      people.map(({ id }) => ({ ...person, id, email: `${id}@example.com` })),
    )
    const about = { user_id: founder, plan: 'professional', first_version: 1_000 }
    const height = version + people.length
    await insert('organisations', [{ ...organisation, ...about, ...stamps, version: height }])
    const members = people.map(({ id }) => ({ ...inOrganisation(), user_id: id, role: 'admin' }))
    await insert(
      'organisation_users',
      members.map((member) => ({ ...member, id: uuidv7(), created_at: at })),
    )
    await insert(
      'token_families',
      people.map(({ id, family }) => ({
        id: family,
        user_id: id,
        confirmed_at: at,
        last_used_at: at,
        created_at: at,
      })),
    )
    const expires_at = new Date(now + DAY).toISOString()
    await insert(
      'access_tokens',
      people.map(({ token, family }) => ({
        hash: sha256(token),
        family_id: family,
        generation: 0,
        expires_at,
      })),
    )
    await insert('accounts', accounts)
    await insert('success_plans', plans)
    await insert('success_plan_updates', updates)
  })
  return {
    organisation,
    people: people.map(({ id, token }) => ({ id, access_token: token })),
    plans: plans.map(({ id }) => id),
  }
}

const newToken = () => randomBytes(32).toString('base64url')
