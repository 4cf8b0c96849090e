// @vitest-environment jsdom
// A customer that has left asks for attention for ever, because the date of its last renewal has passed.
import { cleanup, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { AccountList } from '../../../src/features/accounts/account-list.tsx'
import { AccountStrip } from '../../../src/features/accounts/detail/account-strip.tsx'
import { accountPageMessages as messages } from '../../../src/features/accounts/messages.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const TODAY = '2026-06-20'
const passed = (status: string) => accountWith({ status, renewal_date: '2026-06-14' })
const CONTEXT = { today: TODAY, nameOf: () => undefined, personOf: () => '', plansOf: () => 0 }

beforeAll(async () => {
  // jsdom has no layout.
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => {}, disconnect: () => {} }
  })
  await openOffline()
})
afterEach(cleanup)

test.each([
  ['active', messages.passedFor(6)],
  ['churned', 'Churned'],
])('on the page of an account that is %s stands “%s” below the date', (status, words) => {
  render(
    <MemoryRouter>
      <AccountStrip
        account={passed(status)}
        work={{ own: [], unread: undefined, entries: [], missing: [], authorOf: () => 'Ada' }}
        today={TODAY}
      />
    </MemoryRouter>,
  )
  const renewal = screen.getByText(messages.renewal).parentElement!
  expect(within(renewal).getByText(words)).toBeTruthy()
  expect(within(renewal).queryAllByText(/passed/i)).toHaveLength(status === 'churned' ? 0 : 1)
})

test.each([
  { status: 'active', place: 'table', hasRoom: true, marks: 1 },
  { status: 'churned', place: 'table', hasRoom: true, marks: 0 },
  { status: 'active', place: 'list of cards', hasRoom: false, marks: 1 },
  { status: 'churned', place: 'list of cards', hasRoom: false, marks: 0 },
])(
  'the $place says $marks times that the date of an account that is $status has passed',
  async (from) => {
    const { status, hasRoom, marks } = from
    vi.stubGlobal('matchMedia', () => ({
      matches: hasRoom,
      addEventListener: () => {},
      removeEventListener: () => {},
    }))
    render(
      <MemoryRouter>
        <AccountList
          accounts={[passed(status)]}
          groups={undefined}
          isShown={() => true}
          context={CONTEXT}
          selection={{ sort: 'name', reversed: false }}
          onSort={() => {}}
          rows={undefined}
          preview={undefined}
        />
      </MemoryRouter>,
    )
    await screen.findByRole('link', { name: /Northwind/ })
    expect(screen.queryAllByText(/passed/i)).toHaveLength(marks)
  },
)
