// @vitest-environment jsdom
// A search missed what was written with other accents, a dotted capital I, or in another encoding of the same letters.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { matchesText } from '../../../src/app/palette/commands.ts'
import { deviceSearch, excerptOf } from '../../../src/app/palette/search.ts'
import { filterByText } from '../../../src/data/list-search.ts'
import { readSelection, selectInitiatives } from '../../../src/features/initiatives/view.ts'
import { filterRenewals, renewalsOf } from '../../../src/features/renewals/renewals.ts'
import { ShareTarget } from '../../../src/features/success-plans/share-target/share-target.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { MenuPanel } from '../../../src/ui/overlay/menu-panel.tsx'
import { foldText } from '../../../src/ui/text/fold-text.ts'
import { compareText } from '../../../src/ui/text/format.ts'
import { BLANK_SEARCHES, SPELLED_SEARCHES } from '../../fixtures/spellings.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, initiativeWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'

afterEach(cleanup)

const CASES = SPELLED_SEARCHES.flatMap(([typed, texts]) =>
  texts.map((text) => [typed, text] as const),
)

/** A text that nothing here finds. */
const OTHER = 'Quay'

test.each(CASES)('typed %s finds %s, in a list and in the palette', (typed, text) => {
  const accounts = [
    accountWith({ id: 'other', name: OTHER }),
    accountWith({ id: 'sought', name: text }),
  ]
  expect(filterByText(accounts, typed, 0, ({ name }) => [name]).map(({ id }) => id)).toEqual([
    'sought',
  ])
  const search = deviceSearch({
    accounts,
    plans: [planWith({ id: 'p', title: `On ${text}` })],
    updates: [updateWith({ id: 'u', body: `Met at ${text}.` })],
  })
  expect(search(` ${typed} `).map(({ key }) => key)).toEqual([
    'account:sought',
    'plan:p',
    'update:u',
  ])
  expect(matchesText(text, typed)).toBe(true)
})

test.each(BLANK_SEARCHES)(
  '%j is no search: the palette finds nothing, a list shows all',
  (typed) => {
    const accounts = [accountWith({ id: 'a', name: OTHER })]
    expect(deviceSearch({ accounts })(typed)).toEqual([])
    expect(filterByText(accounts, typed, 0, ({ name }) => [name])).toEqual(accounts)
  },
)

test('a vowel that is a mark in its script is not ignored', () => {
  expect(matchesText('की', 'का')).toBe(false)
})

test('letters that a list sorts as equal are found for each other', () => {
  const ascii = 'a b c d e f g h i j k l m n o p q r s t u v w x y z ae oe ss'.split(' ')
  for (let code = 0xc0; code < 0x250; code += 1) {
    const letter = String.fromCodePoint(code)
    const same = ascii.filter((one) => compareText(letter, one) === 0)
    for (const one of same) expect(foldText(letter)).toContain(foldText(one))
  }
})

test('a word that starts with an accent ranks as one', () => {
  const plans = ['Tech rollout', 'Our échange'].map((title) => planWith({ id: title, title }))
  expect(deviceSearch({ plans })('ech').map(({ key }) => key)).toEqual([
    'plan:Our échange',
    'plan:Tech rollout',
  ])
})

test.each([
  ['letters that are longer in lower case', 'İ'],
  ['letters that are longer when folded', 'ß'],
  ['letters that are shorter when folded', 'e\u0301'],
  ['letters of several parts', '한'],
])('the excerpt of an update has what was found behind %s', (_, letter) => {
  const body = `${letter.repeat(80)} Müller ${'x'.repeat(200)}`
  expect(excerptOf(body, 'muller')).toMatch(/^….{22,30}Müller x+…$/)
})

test('initiatives are found by their title and by that of their plan', () => {
  const initiative = initiativeWith({ id: 'i', title: 'İhracat', success_plan_id: 'p' })
  const context = {
    today: '2026-11-29',
    planOf: () => undefined,
    titleOf: () => 'Müller'.normalize('NFD'),
    nameOf: () => undefined,
    personOf: () => '',
    accountOf: () => null,
    accountNameOf: () => undefined,
  }
  const found = (search: string) =>
    selectInitiatives(
      [{ initiative, actions: [], areActionsRead: true }],
      { ...readSelection(new URLSearchParams()), search },
      context,
    ).length
  expect([found('ihracat'), found('müller'), found(OTHER)]).toEqual([1, 1, 0])
})

test('renewals are found by account and owner', () => {
  const account = accountWith({ id: 'a', name: 'İzmir', owner_id: 'o', renewal_date: '2026-12-01' })
  const due = renewalsOf({ accounts: [account], plans: [], actions: [] }, '2026-11-29')
  const found = (search: string) =>
    filterRenewals(
      due,
      { search, owner: '', day: '', risk: '' },
      () => 'Zoë'.normalize('NFD'),
      '2026-11-29',
    ).length
  expect([found('izmir'), found('zoë'), found(OTHER)]).toEqual([1, 1, 0])
})

test('what is shared is put into a plan found by the account', async () => {
  await openOffline()
  const put = {
    accounts: [accountWith({ id: 'a', name: 'İstanbul Lojistik' })],
    success_plans: [
      planWith({ id: 'p', title: 'Rollout', account_id: 'a' }),
      planWith({ id: 'q', title: OTHER, account_id: null }),
    ],
    organisation_users: [],
  }
  await (await sync().engine()).activeReplica()?.apply({ put, deleted: [] })
  render(
    <QueryProvider>
      <MemoryRouter>
        <ShareTarget />
      </MemoryRouter>
    </QueryProvider>,
  )
  await screen.findByText(OTHER)
  await userEvent.type(screen.getByRole('searchbox'), 'istanbul')
  await screen.findByText('1 plan')
  expect(screen.getByText('Rollout')).toBeDefined()
})

test('a letter leads to the item of a menu that begins with it', () => {
  const items = [OTHER, 'Özlem'.normalize('NFD')].map((label) => ({ label, onSelect() {} }))
  render(
    <MenuPanel panel={{ current: null }} anchor={{ current: null }} label="People" items={items} />,
  )
  const menu = screen.getByRole('menu', { hidden: true })
  // jsdom opens no popover, and focuses nothing in a closed one.
  menu.removeAttribute('popover')
  fireEvent.keyDown(menu, { key: 'ö' })
  expect(document.activeElement?.textContent).toBe(items[1]?.label)
})
