// @vitest-environment jsdom
// At a server that makes ids, the palette had no commands for the plan that is open, and named it as a recent one.
import { act, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import { RecordSections } from '../../../src/app/palette/record-sections.tsx'
import { addRecent } from '../../../src/app/palette/recent-records.ts'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { giveId } from '../fixtures/give-id.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const LOCAL = '01980000-0000-7000-8000-00000000000a'

beforeAll(async () => {
  await openOffline()
  const replica = (await sync().engine()).activeReplica()
  await replica?.apply({ put: { success_plans: [planWith({ id: '21' })] }, deleted: [] })
})

test('a plan that has got its id since it was opened is the one with commands', async () => {
  await act(() => addRecent({ kind: 'plan', id: LOCAL }))
  await giveId('success_plans', LOCAL, '21')
  render(
    <MemoryRouter initialEntries={[`/success-plans/${LOCAL}`]}>
      <QueryProvider>
        <RecordSections
          typed=""
          withResults={false}
          commands={[]}
          go={() => vi.fn()}
          after={() => vi.fn()}
          onAsk={vi.fn()}
          hasKeys={false}
        >
          {(sections) =>
            sections
              .filter(({ items }) => items.length > 0)
              .map(({ key }) => <p key={key}>{key}</p>)
          }
        </RecordSections>
      </QueryProvider>
    </MemoryRouter>,
  )
  await screen.findByText('this-plan')
  expect(screen.queryByText('recent')).toBe(null)
})
