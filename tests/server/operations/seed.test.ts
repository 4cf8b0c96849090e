// The demo data: complete, plausible, and valid under the product's rules.
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  countActions,
  isPlanOpen,
  progressFromActions,
  transitionsFrom,
} from '../../../contract/rules.ts'
import { ACTION_STATUSES } from '../../../contract/schemas/actions.ts'
import { HEALTHS, PLAN_STATUSES, PLAN_TYPES } from '../../../contract/values.ts'
import { TemplateDraft } from '../../../contract/schemas/templates.ts'
import type { Database } from '../../../server/database/database.ts'
import { DEMO_PEOPLE } from '../../../server/demo/stories.ts'
import { seedWhenEmpty } from '../../../server/demo/seed.ts'
import { emptyDatabase } from '../fixtures/empty-database.ts'

const NOW = new Date('2026-03-02T09:00:00.000Z')
let database: Database
let rows: Awaited<ReturnType<typeof readAll>>
const readAll = (from: Database) =>
  from.system(async (tx) => ({
    users: await tx.selectFrom('users').selectAll().orderBy('id').execute(),
    members: await tx.selectFrom('organisation_users').selectAll().orderBy('id').execute(),
    accounts: await tx.selectFrom('accounts').selectAll().orderBy('id').execute(),
    plans: await tx.selectFrom('success_plans').selectAll().orderBy('id').execute(),
    updates: await tx
      .selectFrom('success_plan_updates')
      .selectAll()
      .orderBy('written_at')
      .orderBy('id')
      .execute(),
    initiatives: await tx.selectFrom('initiatives').selectAll().orderBy('id').execute(),
    actions: await tx.selectFrom('actions').selectAll().orderBy('position').orderBy('id').execute(),
    templates: await tx.selectFrom('templates').selectAll().orderBy('id').execute(),
    organisations: await tx.selectFrom('organisations').selectAll().execute(),
  }))
beforeAll(async () => {
  database = await emptyDatabase()
  await seedWhenEmpty(database, NOW)
  rows = await readAll(database)
})
afterAll(() => database.close())

test('the demo has people, accounts, plans and more than 300 updates', () => {
  const { users, organisations, members, accounts, plans, updates } = rows
  expect([users, organisations, members, accounts, plans].map(({ length }) => length)).toEqual([
    3, 2, 5, 40, 60,
  ])
  expect(updates.length).toBeGreaterThan(300)
  expect(new Set(updates.map(({ body }) => body)).size).toBeGreaterThan(100)
  expect(new Set(plans.map(({ status }) => status))).toEqual(new Set(PLAN_STATUSES))
  expect(new Set(plans.map(({ type }) => type))).toEqual(new Set(PLAN_TYPES))
  expect(new Set(plans.map(({ health }) => health))).toEqual(new Set([...HEALTHS, null]))
  expect(new Set(updates.map(({ user_id }) => user_id)).size).toBe(3)
  expect(JSON.stringify(rows)).not.toMatch(/\{contact\}|\{account\}|undefined/)
})

test('the first demo person has a second organisation, below the first one in the list', () => {
  const mia = rows.users.find(({ email }) => email === DEMO_PEOPLE[0].email)
  const theirs = rows.members.filter(({ user_id }) => user_id === mia?.id)
  const names = theirs.map((one) => rows.organisations.find(({ id }) => id === one.organisation_id))
  expect(names.map((one) => one?.name)).toEqual(['Lumen Analytics', 'Oakline Advisory'])
})

test('no two demo plans or initiatives have the same title', () => {
  for (const titles of [rows.plans, rows.initiatives].map((all) => all.map(({ title }) => title))) {
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
    expect(titles.join('\n')).not.toMatch(/[{}]/)
  }
})

test('a demo account is as healthy as the worst of its open plans, and renews while it is active', () => {
  for (const { id, name, status, health, renewal_date } of rows.accounts) {
    const open = rows.plans.filter((plan) => plan.account_id === id && isPlanOpen(plan))
    const worst = HEALTHS.findLast((one) => open.some((plan) => plan.health === one)) ?? null
    if (open.length > 0) expect([name, health]).toEqual([name, worst])
    expect([name, renewal_date !== null]).toEqual([name, status === 'active'])
  }
})

test('no demo plan contradicts its history or its account', () => {
  const churned = rows.accounts.filter(({ status }) => status === 'churned').map(({ id }) => id)
  for (const plan of rows.plans) {
    if (isPlanOpen(plan)) expect(churned).not.toContain(plan.account_id)
    const history = rows.updates.filter((update) => update.success_plan_id === plan.id)
    let status = 'planned'
    for (const { status_from, status_to } of history) {
      if (status_to === null) continue
      expect(status_from).toBe(status)
      expect(transitionsFrom(status)).toContain(status_to)
      status = status_to
    }
    expect(plan.status).toBe(status)
    const stated = history.flatMap(({ progress_to }) => progress_to ?? [])
    expect(plan.progress).toBe(stated.at(-1) ?? 0)
    expect(plan.last_update_at).toBe(history.at(-1)?.written_at ?? null)
    expect((plan.end_date ?? '') >= (plan.start_date ?? '')).toBe(true)
    for (const { written_at } of history) expect(written_at <= NOW.toISOString()).toBe(true)
  }
})

test('most demo plans have initiatives, and none contradicts its actions', () => {
  const { plans, initiatives, actions } = rows
  expect(new Set(initiatives.map((row) => row.success_plan_id)).size).toBeGreaterThan(45)
  expect(new Set(actions.map(({ status }) => status))).toEqual(new Set(ACTION_STATUSES))
  for (const plan of plans) {
    const own = actions.filter((action) => action.success_plan_id === plan.id)
    const { actions_count, actions_done_count } = plan
    expect({ actions_count, actions_done_count }).toEqual(countActions(own))
  }
  for (const initiative of initiatives) {
    const own = actions.filter((action) => action.initiative_id === initiative.id)
    expect(own.length).toBeGreaterThanOrEqual(2)
    expect(initiative.progress).toBe(progressFromActions(own, 0))
    if (initiative.status === 'completed') expect(initiative.progress).toBe(100)
  }
  for (const { status, completed_at, created_at } of actions) {
    expect(completed_at !== null).toBe(status === 'done')
    if (completed_at === null) continue
    expect(completed_at <= NOW.toISOString()).toBe(true)
    expect(completed_at >= created_at).toBe(true)
  }
})

test('the contract accepts the demo templates', () => {
  expect(rows.templates).toHaveLength(4)
  for (const template of rows.templates)
    expect(v.safeParse(TemplateDraft, template).success).toBe(true)
})

test('each record has its own version, at most its organisation’s', () => {
  for (const { id, version, first_version } of rows.organisations) {
    const versions = [
      ...rows.members,
      ...rows.accounts,
      ...rows.plans,
      ...rows.updates,
      ...rows.initiatives,
      ...rows.actions,
      ...rows.templates,
    ]
      .filter(({ organisation_id }) => organisation_id === id)
      .map((row) => row.version)
    expect(new Set(versions).size).toBe(versions.length)
    expect(Math.min(...versions)).toBeGreaterThan(first_version)
    expect(Math.max(...versions)).toBe(version)
  }
})

test('demo texts have per cents in the form of the app', () => {
  const texts = JSON.stringify(rows)
  expect(texts).toMatch(/\b70% of seats/)
  expect(texts).not.toMatch(/\d\s+%|per ?cent/)
})

test('a second start adds nothing, and another machine gets the same data', async () => {
  await seedWhenEmpty(database, NOW)
  expect(await readAll(database)).toEqual(rows)
  const other = await emptyDatabase()
  await seedWhenEmpty(other, NOW)
  const theirs = await readAll(other)
  await other.close()
  const ids = ({ plans, updates, accounts, actions }: typeof rows) =>
    [...plans, ...updates, ...accounts, ...actions].map(({ id }) => id)
  expect(ids(theirs)).toEqual(ids(rows))
  expect(theirs.updates.map(({ body }) => body)).toEqual(rows.updates.map(({ body }) => body))
})
