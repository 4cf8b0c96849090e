// @vitest-environment jsdom
// While the records of an archive were saved, a plan of a colleague arrived: the screen said that it was reading,
// beside the progress.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Contents } from '../../../src/features/archive/format.ts'
import { ImportArchive } from '../../../src/features/archive/import-archive.tsx'
import { archiveMessages as messages } from '../../../src/features/archive/messages.ts'
import { useContents } from '../../../src/features/archive/use-contents.ts'
import { writeArchive } from '../../../src/features/archive/write-archive.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'
import { originOf } from './archive-fixture.ts'

vi.mock(import('../../../src/features/archive/use-contents.ts'), async (original) => ({
  ...(await original()),
  useContents: vi.fn(),
}))
// Saving does not end.
vi.mock(import('../../../src/features/archive/save-call.ts'), () => ({
  saveCall: () => new Promise<string>(() => {}),
}))

const NOTHING: Contents = {
  people: [],
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}
const read = (contents: Contents | undefined) =>
  vi.mocked(useContents).mockReturnValue({
    contents,
    isUnreadable: false,
    plansWithoutUpdates: [],
    unread: { records: 0, fields: 0, lists: 0 },
  })

beforeAll(async () => {
  // jsdom does not say so of localhost.
  Object.defineProperty(window, 'isSecureContext', { value: true })
  await openOffline()
})

test('the screen does not say that it reads the organisation while it saves', async () => {
  read(NOTHING)
  const { bytes } = await writeArchive(
    { ...NOTHING, accounts: [accountWith({ id: 'a', name: 'Hafen' })] },
    originOf('01980000-0000-7000-8000-000000090001', 'North'),
  )
  const { rerender } = render(<ImportArchive />, { wrapper: MemoryRouter })
  await userEvent.upload(screen.getByLabelText(messages.file), new File([bytes], 'north.zip'))
  await userEvent.click(await screen.findByRole('button', { name: messages.add(1) }))
  await screen.findByRole('progressbar')
  read(undefined)
  rerender(<ImportArchive />)
  expect(screen.getByRole('progressbar')).toBeDefined()
  expect(screen.queryByText(messages.reading)).toBe(null)
})
