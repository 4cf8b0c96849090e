// The list of accounts shows the wrong ones, in the wrong order, or exports what cannot be imported.
import { expect, it, vi } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { accountsCsv } from '../../../src/features/accounts/accounts-csv.ts'
import { accountGroupings } from '../../../src/features/accounts/groupings.ts'
import {
  filterAccounts,
  readSelection,
  sortAccounts,
  type AccountContext,
} from '../../../src/features/accounts/view.ts'
import { ACCOUNT_COLUMNS, accountRows } from '../../../src/features/import/account-rows.ts'
import { parseCsv } from '../../../src/features/import/csv.ts'
import { readTable } from '../../../src/features/import/table.ts'
import { groupItems } from '../../../src/widgets/table/grouping.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const NAMES: Record<string, string> = { ada: 'Ada Fell', jon: 'Jonas Berg' }
const CONTEXT: AccountContext = {
  today: '2026-06-15',
  nameOf: (id) => NAMES[id ?? ''],
  personOf: (id) => NAMES[id] ?? 'A former member',
  plansOf: ({ success_plans_count }) => success_plans_count,
}
const NORTH = accountWith({ id: 'north', name: 'Northwind', tier: 'strategic', arr: 50 })
const RIDGE = accountWith({
  id: 'ridge',
  name: 'Ridge',
  owner_id: 'jon',
  arr: 90,
  health: 'off-track',
  renewal_date: '2026-06-14',
  contacts: [
    {
      id: 'c',
      name: 'Petra Lund',
      email: 'p@ridge.se',
      phone: '+46 8 123 45 67',
      title: null,
      role: null,
      is_primary: true,
    },
  ],
})
const SOUTH = accountWith({
  id: 'south',
  name: 'South',
  owner_id: null,
  arr: null,
  tags: ['pilot'],
  renewal_date: '2026-09-13',
  success_plans_count: 3,
})
const ALL = [SOUTH, NORTH, RIDGE]

function shown(search: string, accounts: readonly Account[] = ALL) {
  const selection = readSelection(new URLSearchParams(search))
  return filterAccounts(sortAccounts(accounts, selection, CONTEXT), selection, CONTEXT).map(
    ({ id }) => id,
  )
}

it.each([
  ['jonas', ['ridge']],
  ['petra', ['ridge']],
  ['strategic', ['north']],
  ['pilot', ['south']],
])('finds "%s" by owner, contact, tier and tag', (text, found) => {
  expect(shown(`search=${text}`)).toEqual(found)
})

it.each([
  ['owner=jon', ['ridge']],
  ['owner=none', ['south']],
  ['tier=strategic', ['north']],
  ['health=none', ['north', 'south']],
  ['renewal=passed', ['ridge']],
  ['renewal=90', ['south']],
  ['renewal=none', ['north']],
  ['health=off-track&owner=ada', []],
])('filters by %s', (search, found) => {
  expect(shown(search)).toEqual(found)
})

it.each(['passed', '90'])('shows no churned account among renewals: %s', (renewal) => {
  const lost = ALL.map((account) => ({ ...account, status: 'churned' }))
  expect(shown(`renewal=${renewal}`, lost)).toEqual([])
})

it.each([
  ['', ['north', 'ridge', 'south']],
  ['sort=-name', ['south', 'ridge', 'north']],
  ['sort=arr', ['ridge', 'north', 'south']],
  ['sort=-arr', ['north', 'ridge', 'south']],
  ['sort=renewal_date', ['ridge', 'south', 'north']],
  ['sort=plans', ['south', 'north', 'ridge']],
  ['sort=-owner', ['ridge', 'north', 'south']],
])('sorts by "%s", accounts without a value last', (search, order) => {
  expect(shown(search)).toEqual(order)
})

it.each([
  ['status', ['Prospect: South', 'Active: Northwind West', 'Churned: Ridge']],
  ['tier', ['Strategic: Northwind', 'Standard: Ridge', 'Partner: West', 'No tier: South']],
  [
    'owner',
    ['A former member: West', 'Ada Fell: Northwind', 'Jonas Berg: Ridge', 'No owner: South'],
  ],
  ['quarter', ['Apr to Jun 2026: Ridge', 'Jul to Sep 2026: South West', 'No date: Northwind']],
  ['month', ['June 2026: Ridge', 'July 2026: West', 'September 2026: South', 'No date: Northwind']],
  ['health', ['Off track: Ridge', 'At risk: West', 'On track: Northwind', 'Not rated: South']],
])('groups by %s in the order of its values, those without one last', (by, groups) => {
  const accounts = [
    accountWith({ name: 'Northwind', tier: 'strategic', owner_id: 'ada', health: 'on-track' }),
    { ...RIDGE, tier: 'standard', status: 'churned' },
    { ...SOUTH, tier: null, health: null, status: 'prospect' },
    accountWith({
      name: 'West',
      tier: 'partner',
      owner_id: 'gone',
      health: 'at-risk',
      renewal_date: '2026-07-01',
    }),
  ]
  const grouping = accountGroupings(CONTEXT)[by]
  if (!grouping) throw new Error(`There is no grouping by ${by}.`)
  const outline = groupItems(accounts, grouping).map(
    ({ title, items }) => `${title}: ${items.map(({ name }) => name).join(' ')}`,
  )
  expect(outline).toEqual(groups)
})

it('exports a CSV that an import reads as the same accounts', () => {
  vi.stubGlobal('location', { origin: 'https://cairn.example' })
  const csv = accountsCsv([NORTH, RIDGE, SOUTH], {
    ...CONTEXT,
    nameOf: () => undefined,
  })
  const table = readTable(parseCsv(csv), ACCOUNT_COLUMNS, 'name')
  if (!table) throw new Error('No table.')
  const drafts = accountRows(table, { accounts: [], members: [], currency: 'USD', isWhole: true })
  expect(drafts.map(({ draft }) => draft)).toEqual([
    expect.objectContaining({ name: 'Northwind', tier: 'strategic', arr: 50, currency: 'EUR' }),
    expect.objectContaining({ name: 'Ridge', health: 'off-track', renewal_date: '2026-06-14' }),
    expect.objectContaining({ name: 'South', tags: ['pilot'] }),
  ])
  expect(drafts[1]?.draft?.contacts?.[0]).toMatchObject({
    name: 'Petra Lund',
    email: 'p@ridge.se',
    phone: '+46 8 123 45 67',
  })
})
