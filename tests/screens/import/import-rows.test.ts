import { describe, expect, it } from 'vitest'
import type { SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import {
  ACCOUNT_COLUMNS,
  accountCells,
  accountRows,
} from '../../../src/features/import/account-rows.ts'
import { parseCsv, writeRecords } from '../../../src/features/import/csv.ts'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { PLAN_COLUMNS, planRows } from '../../../src/features/import/plan-rows.ts'
import { UPDATE_COLUMNS, updateRows } from '../../../src/features/import/update-rows.ts'
import {
  countRows,
  keptColumns,
  readTable,
  withinLimit,
} from '../../../src/features/import/table.ts'
import { accountWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'

const ADA = {
  id: '01980000-0000-7000-8000-00000000000a',
  user_id: '01980000-0000-7000-8000-0000000000ad',
  organisation_id: 'ridge',
  name: 'Ada Fell',
  email: 'ada@example.com',
  avatar_url: null,
  pivot: { role: 'admin' },
  created_at: null,
}
const NORTH = accountWith({ id: '01980000-0000-7000-8000-0000000000cc', name: 'Northwind Harbour' })
const TEMPLATES = [
  { id: '01980000-0000-7000-8000-0000000000aa', title: 'Onboarding', type: 'customer' },
  { id: '01980000-0000-7000-8000-0000000000ab', title: 'Internal roll-out', type: 'project' },
  { id: '01980000-0000-7000-8000-0000000000ae', title: 'Renewal', type: 'customer' },
  { id: '01980000-0000-7000-8000-0000000000af', title: 'renewal', type: 'customer' },
]

function accounts(text: string, there = [NORTH], isWhole = true, currency = 'USD') {
  const table = readTable(parseCsv(text), ACCOUNT_COLUMNS, 'name')
  if (!table) throw new Error('No table.')
  return accountRows(table, { accounts: there, members: [ADA], currency, isWhole })
}
function plans(
  text: string,
  there = [planWith({ title: 'Rollout', account_id: NORTH.id })],
  isWhole = true,
  notKept: readonly string[] = [],
) {
  const table = readTable(parseCsv(text), PLAN_COLUMNS, 'title')
  if (!table) throw new Error('No table.')
  return planRows(table, {
    plans: there,
    accounts: [NORTH],
    members: [ADA],
    templates: TEMPLATES,
    user: ADA,
    isUnsent: () => true,
    keeps: (field) => !notKept.includes(field),
    isWhole,
  })
}

describe('columns', () => {
  it('are found below empty lines, with the row numbers of the spreadsheet', () => {
    const rows = [{ number: 5, cells: { title: 'Roll-out', account_id: 'North; South' } }]
    for (const empty of ['\n \n', ';;\n ; \n'])
      expect(
        readTable(
          parseCsv(`${empty}Plan name;Customer name;Fax\n;;\nRoll-out;"North; South";1`),
          PLAN_COLUMNS,
          'title',
        ),
      ).toEqual({ rows, ignored: ['Fax'] })
  })

  it('are found in any spelling, case or synonym', () => {
    const table = readTable(
      parseCsv('COMPANY,annual recurring_revenue,Renewal Day,Fax\nNorth,1,2026-01-01,5'),
      ACCOUNT_COLUMNS,
      'name',
    )
    expect(table).toEqual({
      rows: [{ number: 2, cells: { name: 'North', arr: '1', renewal_date: '2026-01-01' } }],
      ignored: ['Fax'],
    })
  })

  it('of another program are what the user chooses', () => {
    const cells = parseCsv('Kunde;Fax\nNorth;5')
    expect(readTable(cells, ACCOUNT_COLUMNS, 'name', ['name', undefined])).toEqual({
      rows: [{ number: 2, cells: { name: 'North' } }],
      ignored: ['Fax'],
    })
  })

  it('whose field the server does not keep are left out, as if they were unknown', () => {
    const notKept = new Set(['contacts', 'arr', 'name'])
    const kept = keptColumns(ACCOUNT_COLUMNS, (field) => !notKept.has(field), 'name')
    const cells = parseCsv(
      'Name,ARR,Tier,Contact,Contact email\nNorth,1,Tech,Eve,eve@north.example',
    )
    expect(readTable(cells, kept, 'name')).toEqual({
      rows: [{ number: 2, cells: { name: 'North', tier: 'Tech' } }],
      ignored: ['ARR', 'Contact', 'Contact email'],
    })
  })

  it('without any known heading are rejected', () => {
    expect(readTable(parseCsv('Fax,Phone\n1,2'), ACCOUNT_COLUMNS, 'name')).toBeUndefined()
    expect(readTable([], ACCOUNT_COLUMNS, 'name')).toBeUndefined()
  })
})

describe('a row at a server whose ids are numbers', () => {
  const members = [{ ...ADA, id: '1', user_id: '7' }]
  const account = accountWith({ id: '3', name: 'Northwind Harbour' })

  it('refers to its owner and account', () => {
    const accountTable = readTable(parseCsv('Name,Owner\nSouth,Ada Fell'), ACCOUNT_COLUMNS, 'name')!
    const [south] = accountRows(accountTable, {
      accounts: [],
      members,
      currency: 'USD',
      isWhole: true,
    })
    expect(south).toMatchObject({ draft: { owner_id: '7' } })
    const planTable = readTable(
      parseCsv('Title,Account,Owner\nRollout,Northwind Harbour,Ada Fell'),
      PLAN_COLUMNS,
      'title',
    )!
    const [plan] = planRows(planTable, {
      plans: [],
      accounts: [account],
      members,
      templates: [],
      user: ADA,
      isUnsent: () => true,
      keeps: () => true,
      isWhole: true,
    })
    expect(plan).toMatchObject({ draft: { account_id: '3', owner_id: '7' } })
  })
})

describe('a row that names what a device without everything does not have', () => {
  const notDownloaded = (...names: string[]) =>
    names.map((name) => [`“${name}” is not on this device. It may not be downloaded yet.`])

  it('does not say that no such owner, account or template exists', () => {
    const [account] = accounts('Name,Owner\nSouth,Bob', [NORTH], false)
    expect(Object.values(account?.errors ?? {})).toEqual(notDownloaded('Bob'))
    const rows = 'Title,Account,Owner,Template\nMigrate,Southwind,Bob,Offboarding'
    const [plan] = plans(rows, [], false)
    expect(Object.values(plan?.errors ?? {})).toEqual(
      notDownloaded('Southwind', 'Bob', 'Offboarding'),
    )
  })
})

describe('a row of accounts', () => {
  it('has the tags that the app wrote, whatever is in them', () => {
    const tags = ['R|D', 'EMEA; DACH', 'a, b', '"quoted"', 'say "hi"', 'plain', '+1', '"']
    const account = accountWith({ name: 'Southwind', tags })
    const [row] = accounts(writeRecords([accountCells(account, () => null)]))
    expect(row?.draft?.tags).toEqual(tags)
  })

  it('has the tags that others wrote, with separators of any kind', () => {
    const [row] = accounts('Name,Tags\nSouthwind," sea ;north|""R"" and D,, ""west"" "')
    expect(row?.draft?.tags).toEqual(['sea', 'north', '"R" and D', 'west'])
  })

  it('reads every column of the spreadsheet', () => {
    const [row] = accounts(
      'Name,ARR,Tier,Status,Health,Renewal,Owner,Website,Tags,Contact,Contact email,Contact phone\n' +
        '"Ålesund Fjord",€1.234,Tech touch,Active,At risk,31.12.2026,ada fell,fjord.example,"sea; north",Mira,mira@fjord.example,+47 70 12 34 56 ext 7',
    )
    expect(row?.draft).toMatchObject({
      name: 'Ålesund Fjord',
      arr: 1234,
      currency: 'EUR',
      tier: 'tech-touch',
      status: 'active',
      health: 'at-risk',
      renewal_date: '2026-12-31',
      owner_id: ADA.user_id,
      website: 'https://fjord.example',
      tags: ['sea', 'north'],
      contacts: [
        {
          name: 'Mira',
          email: 'mira@fjord.example',
          phone: '+47 70 12 34 56 ext 7',
          is_primary: true,
        },
      ],
    })
  })

  it('is skipped when the account exists already', () => {
    const rows = accounts('Name\n northwind  HARBOUR \nNew\nnew')
    expect(rows.map(({ known, draft }) => [known, draft?.name])).toEqual([
      [true, undefined],
      [undefined, 'New'],
      [true, undefined],
    ])
    expect(countRows(rows)).toEqual({ ready: 1, known: 2, wrong: 0 })
  })

  it('names its invalid fields and the number it has in the spreadsheet', () => {
    const rows = accounts(
      'Name,ARR,Renewal,Owner,Website\n\n,5,,,\nA,many,3/4/2026,Bob,javascript:alert(1)',
    )
    expect(
      rows.map(({ number, errors }) => [number, Object.keys(errors ?? {}).toSorted()]),
    ).toEqual([
      [3, ['name']],
      [4, ['arr', 'owner_id', 'renewal_date', 'website']],
    ])
  })

  it.each([
    ['EUR', '"48,000"', 'EUR'],
    ['EUR', '"$48,000"', 'unknown $'],
    ['EUR', '"¥48,000"', 'unknown ¥'],
    ['EUR', '"48,000 kr"', 'unknown kr'],
    ['EUR', '"US$48,000"', 'USD'],
    ['EUR', '"₹480,000"', 'INR'],
    ['USD', '"$48,000"', 'USD'],
    ['CAD', '"$48,000"', 'CAD'],
    ['EUR', '"$48,000",CAD', 'CAD'],
    ['EUR', '"$48,000",GBP', 'other GBP'],
    ['USD', '€5,usd', 'other USD'],
    ['USD', '5 CHF,USD', 'other USD'],
  ])('in an organisation with %s, the amount %s has the currency %s', (usual, cells, result) => {
    const [row] = accounts(`Name,ARR,Currency\nNew,${cells}`, [], true, usual)
    const [kind = '', sign = ''] = result.split(' ')
    const message =
      kind === 'unknown'
        ? messages.unknownCurrency(sign, usual)
        : kind === 'other' && messages.otherCurrency(sign)
    expect(row?.errors ?? row?.draft?.currency).toEqual(message ? { arr: [message] } : result)
  })

  it('with a currency that does not exist says so alone', () => {
    const [row] = accounts('Name,ARR,Currency\nNew,€5,Euro')
    expect(Object.keys(row?.errors ?? {})).toEqual(['currency'])
  })

  it('is rejected beyond the organisation’s limit', () => {
    const rows = withinLimit(accounts('Name\nA\nB\nC'), 2, { field: 'name', message: 'Full.' })
    expect(rows.map(({ draft, errors }) => draft?.name ?? errors)).toEqual([
      'A',
      'B',
      { name: ['Full.'] },
    ])
  })
})

describe('a row of plans', () => {
  it('needs no account at a server that does not keep whose plan it is', () => {
    const rows = (notKept: string[]) => plans('Title\nMigrate', [], true, notKept)
    expect(rows(['type', 'account_id'])).toMatchObject([{ draft: { title: 'Migrate' } }])
    expect(rows([])).toMatchObject([{ errors: { account_id: [expect.any(String)] } }])
  })

  it('is assigned to the account that it names', () => {
    const [row] = plans(
      'Title,Type,Account,Owner,Progress,Start,End,Update rhythm in days,Health\nMigrate,Customer plan,northwind harbour,ada@example.com,40 %,1.2.2026,2026-06-30,14,On track',
    )
    expect(row?.draft).toMatchObject({
      title: 'Migrate',
      type: 'customer',
      account_id: NORTH.id,
      owner_id: ADA.user_id,
      progress: 40,
      start_date: '2026-02-01',
      end_date: '2026-06-30',
      update_cadence_days: 14,
      health: 'on-track',
    })
  })

  it('is rejected when its account is unknown, and skipped when the plan exists', () => {
    const rows = plans(
      'Title,Account,Start,End\nMigrate,Southwind,,\nrollout,Northwind Harbour,,\nRollout,,,\nLate,Northwind Harbour,2026-05-01,2026-04-01',
    )
    expect(rows.map(({ known, errors }) => known ?? Object.keys(errors ?? {}))).toEqual([
      ['account_id'],
      true,
      ['account_id'],
      ['end_date'],
    ])
  })
})

describe('a plan of another program', () => {
  it('comes from the template that it names, of the template’s type where it has none', () => {
    const [named, ofItsType, unknown, several] = plans(
      [
        'Title,Account,Type,Template',
        'North,Northwind Harbour,,onboarding',
        'Inside,,,Internal roll-out',
        'South,Northwind Harbour,,Offboarding',
        'West,Northwind Harbour,,Renewal',
      ].join('\n'),
    )
    expect(named?.draft).toMatchObject({ template_id: TEMPLATES[0]?.id, type: 'customer' })
    expect(ofItsType?.draft).toMatchObject({ template_id: TEMPLATES[1]?.id, type: 'project' })
    expect(unknown).toMatchObject({
      number: 4,
      errors: { template_id: [expect.stringContaining('Offboarding')] },
    })
    expect(unknown?.draft).toBeUndefined()
    expect(several).toMatchObject({
      errors: { template_id: [expect.stringContaining('More than one')] },
    })
    expect(several?.draft).toBeUndefined()
  })

  it('has an outcome only if the list names one', () => {
    const rows = plans(
      'Title,Type,Status,Progress,Outcome\n' +
        'A,project,Done,80,\n' +
        'B,project,Done,,\n' +
        'C,project,Done,80,Partially achieved\n' +
        'D,project,On hold,80,\n',
    )
    expect(rows.map(({ draft }) => draft?.clears)).toEqual([
      { outcome: null },
      { outcome: null },
      undefined,
      undefined,
    ])
    expect(rows.map(({ draft }) => draft?.updates.at(-1)?.outcome)).toEqual([
      'partially-achieved',
      'achieved',
      'partially-achieved',
      undefined,
    ])
  })

  it('has any status, in its words, with its last update and its author', () => {
    const rows = plans(
      'Title,Type,Status,Health,Progress,Last note,Updated,Updated by\n' +
        'A,project,Done,green,80,,2025-03-04,\n' +
        'B,project,On hold,Red,,Budget is frozen.,4.3.2025,Bob\n' +
        'C,project,Open,,,All well.,2025-03-04T08:00:00Z,ada fell\n' +
        'D,project,Someday,,,,,\n' +
        'E,project,Open,,,All well.,soon,',
    )
    expect(rows.map(({ draft, errors }) => draft ?? Object.keys(errors ?? {}))).toMatchObject([
      {
        status: 'in-progress',
        health: 'on-track',
        updates: [
          {
            status: 'completed',
            outcome: 'partially-achieved',
            body: 'Imported as completed.',
            written_at: '2025-03-04T12:00:00.000Z',
          },
        ],
      },
      {
        status: 'in-progress',
        health: 'off-track',
        updates: [{ status: 'paused', body: 'Budget is frozen.\n\nWritten by Bob' }],
      },
      {
        status: 'in-progress',
        updates: [{ body: 'All well.', written_at: '2025-03-04T08:00:00.000Z' }],
      },
      ['status'],
      ['update_date'],
    ])
  })
})

describe('a row of past updates', () => {
  const rollout = planWith({ title: 'Rollout', account_id: NORTH.id })
  const updates = (text: string, there: readonly SuccessPlanUpdate[] = [], isWhole = true) => {
    const table = readTable(parseCsv(text), UPDATE_COLUMNS, 'plan_id')
    if (!table) throw new Error('No table.')
    return updateRows(table, {
      plans: [rollout],
      accounts: [NORTH],
      members: [ADA],
      updates: there,
      aliases: new Map(),
      missing: [],
      user: ADA,
      hasIds: false,
      isWhole,
    })
  }

  it('does not say that no such plan exists on a device without everything', () => {
    const [row] = updates('Plan,Date,Text\nRolling,2024-02-02,x', [], false)
    expect(row?.errors).toEqual({
      plan_id: ['“Rolling” is not on this device. It may not be downloaded yet.'],
    })
  })

  it('keeps date and text, and the name of an author who is not the importing user', () => {
    const rows = updates(
      'Plan,Account,Date,Text,Author,Progress\n' +
        'rollout,Northwind Harbour,2024-02-01,Half way.,Bob Tarn,50 %\n' +
        'Rollout,,2024-02-02,Mine.,ada@example.com,\n' +
        'Rolling,,2024-02-02,x,,\n' +
        'Rollout,,2024-02-31,x,,\n' +
        'Rollout,,2024-02-02,,,',
    )
    expect(rows.map(({ draft, errors }) => draft ?? Object.keys(errors ?? {}))).toMatchObject([
      {
        plan_id: rollout.id,
        update: {
          body: 'Half way.\n\nWritten by Bob Tarn',
          written_at: '2024-02-01T12:00:00.000Z',
          progress: 50,
        },
      },
      { update: { body: 'Mine.' } },
      ['plan_id'],
      ['written_at'],
      ['body'],
    ])
  })

  it('is not imported again from the same file', () => {
    const text = 'Plan,Date,Text\nRollout,2024-02-01,a\nRollout,2024-02-01,b'
    const ids = updates(text).flatMap(({ draft }) => (draft ? [draft.update.id] : []))
    const [first] = ids.map((id) => updateWith({ id, body: 'not compared' }))
    expect(updates(text, first && [first]).map(({ known }) => known)).toEqual([true, undefined])
  })
})
