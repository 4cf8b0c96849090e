// The first records of the plain server.
import type { PlainApi } from './plain-api.ts'
import type { Table } from './plain-records.ts'

/** Fills the server with Ana, its organisation, and that many accounts and plans. */
export function seedRecords(
  api: PlainApi,
  { accounts, plans }: { accounts: number; plans: number },
): void {
  const ana = api.addUser('Ana Plain', 'ana@plain.test', 'a plain password')
  const { id: organisation_id } = api.addOrganisation(ana, 'North')
  const created = { created_by: ana.id, created_at: '2026-03-01T09:00:00.000000Z' }
  const common = (table: Table) => ({
    id: api.records.newId(table),
    organisation_id,
    ...created,
  })
  const { tables } = api.records
  for (let count = 1; count <= accounts; count += 1)
    tables.accounts.push({
      ...common('accounts'),
      name: `Account ${count}`,
      status: 'active',
      arr: 1_000 * count,
      currency: 'EUR',
      renewal_date: '2026-12-31',
      owner_id: ana.id,
      tags: ['plain'],
      contacts: [],
      notes: 'A note.',
      surprise: { deep: [1] },
    })
  const [first] = tables.accounts
  if (first && api.options.contacts === 'unnamed')
    first.contacts = ['Ann', null].map((name) => ({
      id: Number(api.records.newId('contacts')),
      name,
      fax: '1',
    }))
  for (let count = 1; count <= plans; count += 1) {
    const plan = {
      ...common('success-plans'),
      title: `Plan ${count}`,
      type: 'customer',
      status: 'in-progress',
      progress: 7,
      start_date: '2026-01-31',
      end_date: '2026-12-31',
      description: 'What we agreed.',
      account_id: tables.accounts[0]?.id ?? null,
      owner_id: ana.id,
    }
    tables['success-plans'].push(plan)
    tables.updates.push({
      ...common('updates'),
      success_plan_id: plan.id,
      user_id: ana.id,
      body: `Kick-off of plan ${count}.`,
      written_at: '2026-03-01T09:00:00.000Z',
    })
  }
  const success_plan_id = tables['success-plans'][0]?.id ?? null
  const step = {
    ...common('initiatives'),
    title: 'First step',
    status: 'planned',
    success_plan_id,
  }
  tables.initiatives.push(step)
  tables.actions.push({
    ...common('actions'),
    title: 'First action',
    status: 'todo',
    success_plan_id,
    initiative_id: step.id,
    due_date: '2026-06-30',
    position: 1,
  })
}
