// @vitest-environment jsdom
// Where the actions were not read, each initiative had “No actions” on a phone, and 0 of them in the exported file.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { parseCsv } from '../../../src/features/import/csv.ts'
import { InitiativeList } from '../../../src/features/initiatives/initiative-list.tsx'
import { initiativesCsv } from '../../../src/features/initiatives/initiatives-csv.ts'
import {
  initiativeCsvMessages,
  initiativeMessages as messages,
} from '../../../src/features/initiatives/messages.ts'
import { initiativeWith } from '../fixtures/record-fixtures.ts'

beforeAll(() => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
})
afterEach(cleanup)

const context = {
  today: '2026-03-10',
  states: new Map(),
  planOf: () => undefined,
  titleOf: () => 'Onboarding',
  nameOf: () => undefined,
  personOf: (id: string) => id,
  accountOf: () => null,
  accountNameOf: () => undefined,
  searchOf: () => '',
}
const workWith = (areActionsRead: boolean) => [
  { initiative: initiativeWith({ title: 'Launch' }), actions: [], areActionsRead },
]

test.each([
  [true, 1],
  [false, 0],
])('on a phone, with actions read: %s, “No actions” is said %i times', (areActionsRead, times) => {
  render(
    <MemoryRouter>
      <InitiativeList
        initiatives={workWith(areActionsRead)}
        groups={undefined}
        context={context}
        rows={undefined}
      />
    </MemoryRouter>,
  )
  screen.getByText('Launch')
  expect(screen.queryAllByText(messages.done(0, 0))).toHaveLength(times)
})

test.each([
  [true, ['0', '0']],
  [false, ['', '']],
])('in a file, with actions read: %s, their numbers are %j', (areActionsRead, numbers) => {
  const [heading = [], row = []] = parseCsv(initiativesCsv(workWith(areActionsRead), context))
  const { actionsDone, actions } = initiativeCsvMessages
  expect([actionsDone, actions].map((title) => row[heading.indexOf(title)])).toEqual(numbers)
})
