import { describe, expect, it } from 'vitest'
import {
  matchesText,
  availableCommands,
  selectedItem,
  shouldShowResults,
  itemAtOffset,
} from '../../../src/app/palette/commands.ts'
import { recordAt, withRecent } from '../../../src/app/palette/recent-records.ts'
import {
  deviceSearch,
  excerptOf,
  MAX_RESULTS,
  withServerResults,
} from '../../../src/app/palette/search.ts'
import { keysOf, moreCommands } from '../../../src/app/palette/more-commands.ts'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Template } from '../../../contract/schemas/templates.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  planWith,
  updateWith,
} from '../fixtures/record-fixtures.ts'

const contactWith = (name: string, facts: Partial<Account['contacts'][number]> = {}) => ({
  id: 'person',
  name,
  email: null,
  title: null,
  role: null,
  is_primary: false,
  ...facts,
})
const templateWith = (fields: Partial<Template>): Template => ({
  ...blankRecords.templates,
  id: 'template',
  title: 'Onboarding',
  ...fields,
})

const owner = { is_owner: true, is_installed: true }
const labels = (typed: string, who: Partial<typeof owner> = {}) =>
  availableCommands(typed, { ...owner, ...who }).map(({ group, label }) => `${group}: ${label}`)

describe('the actions of the palette', () => {
  it('are those of the specification, in their groups', () => {
    expect(labels('')).toEqual([
      'success-plans: View success plans',
      'success-plans: Create new success plan',
      'success-plans: Create new success plan template',
      'organisation: Switch organisation',
      'organisation: Upgrade to pro',
      'settings: Switch light/dark theme',
      'settings: Open profile',
      'settings: Open notification settings',
      'settings: Open organisation settings',
      'settings: Open members settings',
    ])
  })

  it('offer an upgrade only to the owner of the organisation', () => {
    expect(labels('upgrade')).toHaveLength(1)
    expect(labels('upgrade', { is_owner: false })).toEqual([])
  })

  it('lead to their routes', () => {
    const ways = availableCommands('', owner).map(({ key, to }) => [key, to])
    expect(Object.fromEntries(ways)).toEqual({
      plans: '/success-plans',
      'new-plan': '/success-plans/new',
      'new-template': '/templates',
      switch: '/organisations',
      upgrade: '/settings/organisation/plans',
      theme: undefined,
      profile: '/settings/profile',
      notifications: '/settings/notifications',
      organisation: '/settings/organisation/general',
      members: '/settings/organisation/members',
    })
  })

  it('offer the upgrade to the owner only', () => {
    expect(labels('', { is_owner: false })).not.toContain('organisation: Upgrade to pro')
    expect(labels('upgrade', { is_owner: false })).toEqual([])
  })

  it('offer installation only until the app is installed', () => {
    expect(labels('install')).toEqual([])
    expect(labels('install', { is_installed: false })).toEqual(['settings: Install Cairn'])
  })

  it('are filtered by any part of the label, whatever the case', () => {
    expect(labels('ORGAN')).toEqual([
      'organisation: Switch organisation',
      'settings: Open organisation settings',
    ])
    expect(labels('ight/da')).toEqual(['settings: Switch light/dark theme'])
    expect(labels('  profile ')).toEqual(['settings: Open profile'])
    expect(labels('plans view')).toEqual([])
    expect(matchesText('Open profile', '')).toBe(true)
  })
})

const everything = { templates: true, renewals: true }
const more = (typed: string) => moreCommands(typed, { is_owner: true, has: everything })

describe('the commands beside those of the specification', () => {
  it('are found by any part of their label, and lead to every place', () => {
    expect(more('view acc').map(({ to }) => to)).toEqual(['/accounts'])
    expect(more('').flatMap(({ to, group }) => (group === 'places' ? [to] : []))).toEqual([
      '/',
      '/accounts',
      '/initiatives',
      '/templates',
      '/?renewals',
      '/success-plans?review',
      '/settings/organisation/billing',
      '/settings/organisation/plans',
      undefined,
      undefined,
      '/onboarding',
    ])
  })

  it('export and import the organisation, and sign out', () => {
    expect(more('export').map(({ to }) => to)).toEqual(['/settings/organisation/general#archive'])
    expect(more('import org').map(({ to }) => to)).toEqual([
      '/settings/organisation/general?import',
    ])
    expect(more('sign out').map(({ key, to }) => [key, to])).toEqual([['sign-out', undefined]])
  })

  it('leave out billing for a member, and what the server does not have', () => {
    const left = (has: Partial<typeof everything>, is_owner = true) =>
      moreCommands('', { is_owner, has: { ...everything, ...has } }).map(({ label }) => label)
    expect(left({}, false)).not.toContain('Open billing')
    expect(left({ templates: false })).not.toContain('View templates')
    expect(left({ renewals: false })).not.toContain('Record a renewal outcome')
    expect(left({})).toEqual(
      expect.arrayContaining(['Open billing', 'View templates', 'Record a renewal outcome']),
    )
  })

  it('show the keys that do the same on the screen', () => {
    const plans = { key: 'plans', to: '/success-plans' }
    expect(keysOf(plans, '/')).toBe('G P')
    expect(keysOf({ key: 'new-plan', to: '/success-plans/new' }, '/success-plans')).toBe('C')
    expect(keysOf({ key: 'new-plan', to: '/success-plans/new' }, '/accounts')).toBeUndefined()
    expect(keysOf({ key: 'new-account', to: '/accounts?new' }, '/accounts')).toBe('C')
    expect(keysOf({ key: 'theme' }, '/')).toBeUndefined()
    expect(keysOf({ key: 'new-template', to: '/templates' }, '/')).toBeUndefined()
  })
})

describe('search results', () => {
  const shows = (typed: string) => shouldShowResults(typed, availableCommands(typed, owner))

  it('are hidden while an action for success plans matches', () => {
    expect(shows('success')).toBe(false)
    expect(shows('create new')).toBe(false)
  })

  it('are shown when at most actions of other groups match', () => {
    expect(shows('organisation')).toBe(true)
    expect(shows('harbour')).toBe(true)
  })

  it('are hidden while nothing is typed', () => {
    expect(shows('')).toBe(false)
    expect(shows('   ')).toBe(false)
  })
})

describe('search on the device', () => {
  const plans = [
    planWith({ id: 'p1', title: 'Roll out to every harbour' }),
    planWith({ id: 'p2', title: 'Renewal review' }),
  ]
  const accounts = [accountWith({ id: 'a1', name: 'Northwind Harbour' })]
  const updates = [
    updateWith({ id: 'u1', success_plan_id: 'p2', body: `${'x'.repeat(60)} the HARBOUR master` }),
  ]

  it('finds records of every kind, the account first among equals', () => {
    const found = deviceSearch({
      plans,
      accounts: [
        ...accounts,
        accountWith({ id: 'a2', name: 'Otter', contacts: [contactWith('Bea Harbour')] }),
      ],
      updates,
      initiatives: [initiativeWith({ id: 'i1', title: 'Train the harbour team' })],
      actions: [actionWith({ id: 'c1', title: 'Call the harbour' })],
      templates: [templateWith({ id: 't1', title: 'A new harbour' })],
    })(' harBour ')
    expect(found.map(({ key }) => key)).toEqual([
      'account:a1',
      'plan:p1',
      'contact:a2:person',
      'initiative:i1',
      'action:c1',
      'template:t1',
      'update:u1',
    ])
    expect(found.every(({ onDevice }) => onDevice)).toBe(true)
    expect(excerptOf(updates[0]?.body ?? '', ' harbour ')).toContain('the HARBOUR master')
  })

  it('ranks what starts with the text before words that do, those before the rest, open before closed', () => {
    const titled = (title: string, status = 'in-progress') => planWith({ id: title, title, status })
    const found = deviceSearch({
      plans: [
        titled('Lakeshore review'),
        titled('Kestrel: old renewal', 'completed'),
        titled('Rescue (Kestrel)'),
        titled('Kestrel: adoption'),
      ],
      accounts: [
        accountWith({ id: 'a1', name: 'Lakeshore Credit Union' }),
        accountWith({ id: 'a2', name: 'Kestrel Aerospace' }),
      ],
    })('kes')
    expect(found.map(({ key }) => key)).toEqual([
      'account:a2',
      'plan:Kestrel: adoption',
      'plan:Kestrel: old renewal',
      'plan:Rescue (Kestrel)',
      'account:a1',
      'plan:Lakeshore review',
    ])
  })

  it('finds contacts by address, job title, role and account, below those found by name', () => {
    const facts = { email: 'bea@otter.example', title: 'Head of IT', role: 'Champion' }
    const search = deviceSearch({
      plans: [planWith({ id: 'p', title: 'Find a second champion' })],
      accounts: [
        accountWith({ id: 'a', name: 'Otter', contacts: [contactWith('Bea Reed', facts)] }),
        accountWith({ id: 'b', name: 'Reed', contacts: [contactWith('Otto Champ')] }),
      ],
    })
    const keys = (typed: string) => search(typed).map(({ key }) => key)
    expect(keys('bea@otter')).toEqual(['contact:a:person'])
    expect(keys('head of')).toEqual(['contact:a:person'])
    expect(keys('champ')).toEqual(['plan:p', 'contact:b:person', 'contact:a:person'])
    expect(keys('reed')).toEqual(['account:b', 'contact:a:person', 'contact:b:person'])
  })

  it('finds words in another order, and apart, behind the text as it was typed', () => {
    const search = deviceSearch({
      plans: [
        planWith({ id: 'p1', title: 'Renewal for Kestrel' }),
        planWith({ id: 'p2', title: 'The Kestrel renewal' }),
        planWith({ id: 'p3', title: 'Kestrel' }),
      ],
      accounts: [accountWith({ id: 'a', name: 'Kestrel', contacts: [contactWith('Bea Reed')] })],
      updates: [updateWith({ id: 'u', success_plan_id: 'p1', body: 'A renewal, says Kestrel.' })],
    })
    const keys = (typed: string) => search(typed).map(({ key }) => key)
    expect(keys('kestrel renewal')).toEqual(['plan:p2', 'plan:p1', 'update:u'])
    expect(keys('kestrel bea')).toEqual(['contact:a:person'])
    expect(keys('kestrel otter')).toEqual([])
    const body = `${'x'.repeat(60)} a renewal, says Kestrel`
    expect(excerptOf(body, 'kestrel renewal')).toMatch(/^….*Kestrel$/)
  })

  it('takes initiatives and actions of a closed plan for closed', () => {
    const of = (success_plan_id: string) => ({
      id: success_plan_id,
      title: 'Harbour',
      success_plan_id,
    })
    const found = deviceSearch({
      plans: [planWith({ id: 'over', status: 'completed' }), planWith({ id: 'runs' })],
      initiatives: [initiativeWith(of('over')), initiativeWith(of('runs'))],
      actions: [actionWith(of('over')), actionWith(of('runs'))],
    })('harbour')
    expect(found.map(({ key }) => key)).toEqual([
      'initiative:runs',
      'action:runs',
      'initiative:over',
      'action:over',
    ])
  })

  it('ranks before it limits, however many match', () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      planWith({ id: String(at), title: `Old plan ${at}`, status: 'completed' }),
    )
    const best = planWith({ id: 'best', title: 'Plan the launch' })
    const accounts = Array.from({ length: 50 }, (_, at) =>
      accountWith({ id: `a${at}`, name: `The plan ${at}` }),
    )
    const search = deviceSearch({
      plans: [...many, best],
      accounts: [...accounts, accountWith({ id: 'a', name: 'Planetary' })],
    })
    expect(
      search('plan')
        .slice(0, 2)
        .map(({ key }) => key),
    ).toEqual(['account:a', 'plan:best'])
  })

  it('finds nothing for an empty query, or before the replica is read', () => {
    const nothing = { plans: undefined }
    expect(deviceSearch({ plans, accounts, updates })('  ')).toEqual([])
    expect(deviceSearch(nothing)('harbour')).toEqual([])
  })

  it('limits the number of results', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => planWith({ id: String(at) }))
    const found = deviceSearch({ plans: many, accounts: [], updates: [] })('roll')
    expect(found.length).toBe(MAX_RESULTS.plan)
  })

  it('appends the server’s results behind its own, each once', () => {
    const found = deviceSearch({ plans, accounts, updates })('harbour')
    const fromServer = [
      planWith({ id: 'p1' }),
      planWith({ id: 'p9', title: 'Harbour of another day' }),
    ]
    const all = withServerResults(found, fromServer, (id) => plans.some((plan) => plan.id === id))
    expect(all.slice(0, found.length)).toEqual(found)
    expect(all.slice(found.length).map(({ key, onDevice }) => [key, onDevice])).toEqual([
      ['plan:p9', false],
    ])
  })
})

describe('the selection', () => {
  const items = ['a', 'b', 'c'].map((key) => ({ key }))

  it('stays on its item, or moves to the first when that is gone', () => {
    expect(selectedItem([{ key: 'new' }, ...items], 'b')?.key).toBe('b')
    expect(selectedItem(items, 'gone')?.key).toBe('a')
    expect(selectedItem([], 'a')).toBeUndefined()
  })

  it('wraps around at both ends', () => {
    expect(itemAtOffset(items, items[2], 1)?.key).toBe('a')
    expect(itemAtOffset(items, items[0], -1)?.key).toBe('c')
    expect(itemAtOffset([], undefined, 1)).toBeUndefined()
  })
})

describe('recent records', () => {
  it('are those with a page of their own', () => {
    expect(recordAt('/success-plans/new')).toBeUndefined()
    expect(recordAt('/success-plans')).toBeUndefined()
    expect(recordAt('/success-plans/7')).toEqual({ kind: 'plan', id: '7' })
    expect(recordAt('/accounts/9')).toEqual({ kind: 'account', id: '9' })
  })

  it('keep the six opened last, each once', () => {
    const before = ['1', '2', '3', '4', '5', '6'].map((id) => ({ kind: 'plan', id }) as const)
    const ids = (opened: string) =>
      withRecent(before, { kind: 'plan', id: opened }).map(({ id }) => id)
    expect(ids('3')).toEqual(['3', '1', '2', '4', '5', '6'])
    expect(ids('7')).toEqual(['7', '1', '2', '3', '4', '5'])
  })
})
