// The demo data: two organisations with accounts and plans, the same on every machine, dated relative to today.
import { sql } from 'kysely'
import { isPlanOpen } from '../../contract/rules.ts'
import { HEALTHS, type PlanStatus } from '../../contract/values.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { hashPassword } from '../auth/passwords/passwords.ts'
import { newFirstVersion } from '../domain/organisation.ts'
import { buildAccount } from './account.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'
import { buildInitiatives } from './initiatives.ts'
import { buildPlan } from './plan.ts'
import type { SeedContext } from './context.ts'
import { buildTemplates } from './templates.ts'
import { CUSTOMER_STORIES, DEMO_PASSWORD, DEMO_PEOPLE, PROJECT_STORIES } from './stories.ts'
import { ACCOUNT_NAMES } from './names.ts'

const DAY_MS = 86_400_000
/** Every sixth plan is an internal project. */
const PROJECT_EVERY = 6
const STATUSES: readonly PlanStatus[] = [
  'in-progress',
  'in-progress',
  'planned',
  'in-progress',
  'completed',
  'in-progress',
  'paused',
  'in-progress',
  'completed',
  'cancelled',
]

/** Inserts the demo data, unless there are users. */
export async function seedWhenEmpty(database: Database, now: Date): Promise<void> {
  const isEmpty = async (tx: Tx) =>
    !(await tx.selectFrom('users').select('id').limit(1).executeTakeFirst())
  if (!(await database.system(isEmpty))) return
  const password_hash = await hashPassword(DEMO_PASSWORD)
  await database.system(async (tx) => {
    // Several processes may start at once: the lock lets only one of them insert. The others wait for as long as it
    // takes, or their start would fail.
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`lock table users in share row exclusive mode`.execute(tx)
    if (await isEmpty(tx)) await seed(tx, now, password_hash)
  })
}

async function seed(tx: Tx, now: Date, password_hash: string): Promise<void> {
  const random = createSeededRandom()
  const joined = new Date(now.getTime() - 400 * DAY_MS)
  const at = joined.toISOString()
  const people = DEMO_PEOPLE.map((person) => ({
    ...person,
    id: random.id(joined),
    timezone: 'Europe/Berlin',
    password_hash,
    created_at: at,
    updated_at: at,
  }))
  await tx.insertInto('users').values(people).execute()
  const [mia = '', jonas = '', priya = ''] = people.map(({ id }) => id)
  const names = [...ACCOUNT_NAMES]
  await seedOrganisation(tx, random, now, {
    name: 'Lumen Analytics',
    plan: 'professional',
    members: [
      { user_id: mia, role: 'admin' },
      { user_id: jonas, role: 'admin' },
      { user_id: priya, role: 'member' },
    ],
    accounts: names.splice(0, 34),
    plans: { first: 0, count: 50 },
    templates: 3,
  })
  await seedOrganisation(tx, random, now, {
    name: 'Oakline Advisory',
    plan: 'free',
    members: [
      { user_id: priya, role: 'admin' },
      { user_id: mia, role: 'member' },
    ],
    accounts: names,
    plans: { first: 50, count: 10 },
    templates: 1,
  })
}

interface OrganisationSeed {
  name: string
  plan: string
  /** The first member owns the organisation. */
  members: { user_id: string; role: 'admin' | 'member' }[]
  accounts: (readonly [name: string, industry: string])[]
  /** Numbers of its plans: no two have the same title. */
  plans: { first: number; count: number }
  templates: number
}

async function seedOrganisation(tx: Tx, random: SeededRandom, now: Date, seed: OrganisationSeed) {
  const began = new Date(now.getTime() - 390 * DAY_MS)
  const at = began.toISOString()
  const organisation_id = random.id(began)
  const first_version = newFirstVersion()
  let version = first_version
  const next = () => (version += 1)
  const { name, plan, members } = seed
  const user_id = members[0]?.user_id ?? ''
  const stamps = { created_at: at, updated_at: at }
  await tx
    .insertInto('organisations')
    .values({
      id: organisation_id,
      name,
      plan,
      user_id,
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      version,
      first_version,
      ...stamps,
    })
    .execute()
  await tx
    .insertInto('organisation_users')
    .values(
      members.map((member) => ({
        ...member,
        organisation_id,
        id: random.id(began),
        version: next(),
        created_at: at,
      })),
    )
    .execute()
  if (plan !== 'free')
    await tx.insertInto('subscriptions').values({ organisation_id, started_at: at }).execute()
  const context: SeedContext = {
    organisation_id,
    people: members.map((m) => m.user_id),
    now,
    next,
    random,
  }
  // A separate source: changes to initiatives then do not change plans and updates.
  const workRandom = createSeededRandom(seed.plans.count)
  const accounts = seed.accounts.map((account) => buildAccount(context, account))
  const accountOf = (plan: number) =>
    plan % PROJECT_EVERY === PROJECT_EVERY - 1 ? undefined : accounts[(plan * 7) % accounts.length]
  const templates = buildTemplates({ ...context, random: workRandom }, seed.templates, began)
  const plans = Array.from({ length: seed.plans.count }, (_, n) => {
    const i = seed.plans.first + n
    const status = STATUSES[i % STATUSES.length] ?? 'planned'
    const account = accountOf(i)
    // A customer who has left has no open plans.
    if (account?.row.status === 'churned' && isPlanOpen({ status }))
      Object.assign(account.row, { status: 'active', renewal_date: account.renewal })
    const [stories, place] = account
      ? [CUSTOMER_STORIES, i]
      : [PROJECT_STORIES, Math.floor(i / PROJECT_EVERY)]
    const story = stories[place % stories.length]
    const [title, subject] = story?.titles[Math.floor(place / stories.length)] ?? []
    if (!story || !title || !subject) throw new Error(`No title is left for plan ${i}.`)
    const built = buildPlan(context, { story, title, status, account, planIndex: i })
    const work = buildInitiatives(
      { ...context, random: workRandom },
      { plan: built.plan, story, subject, account, planIndex: i },
    )
    return { account, ...built, ...work }
  })
  for (const account of accounts) {
    const open = plans.filter((one) => one.account === account && isPlanOpen(one.plan))
    const healths = open.flatMap(({ plan }) => plan.health ?? [])
    // The worst one, as its owner would see it.
    if (open.length > 0)
      account.row.health = HEALTHS.findLast((health) => healths.includes(health)) ?? null
  }
  await tx
    .insertInto('accounts')
    .values(accounts.map(({ row }) => row))
    .execute()
  await tx.insertInto('templates').values(templates).execute()
  for (const { plan, updates, counts, initiatives, actions } of plans) {
    await tx
      .insertInto('success_plans')
      .values({ ...plan, ...counts })
      .execute()
    if (updates.length > 0) await tx.insertInto('success_plan_updates').values(updates).execute()
    if (initiatives.length > 0) {
      await tx.insertInto('initiatives').values(initiatives).execute()
      await tx.insertInto('actions').values(actions).execute()
    }
  }
  await tx.updateTable('organisations').set({ version }).where('id', '=', organisation_id).execute()
}
