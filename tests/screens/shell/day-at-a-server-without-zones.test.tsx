// @vitest-environment jsdom
// At a server whose organisations have no time zone the days were those of UTC: a plan was overdue on the evening of
// its last day in Los Angeles.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Organisation } from '../../../contract/schemas/organisations.ts'
import { editOrganisation } from '../../../src/data/organisations/mutations.ts'
import { useToday } from '../../../src/data/organisations/use-today.ts'
import { exportMessages } from '../../../src/app/device/messages.ts'
import { generalMessages as messages } from '../../../src/features/organisations/general-messages.ts'
import { GeneralForm } from '../../../src/features/organisations/general-form.tsx'
import { Component as General } from '../../../src/features/organisations/general-screen.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

vi.mock(import('../../../src/data/organisations/mutations.ts'), async (load) => ({
  ...(await load()),
  editOrganisation: vi.fn(async () => undefined),
}))

const zone = process.env.TZ
beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const organisationWith = (fields: object) =>
  v.parse(Organisation, { id: 'north', name: 'North', pivot: { role: 'member' }, ...fields })
const enter = (fields: object) =>
  act(() => sync().update('ann', { active_organisation: organisationWith(fields) }))
const show = (page: React.ReactNode) =>
  render(
    <QueryProvider>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryProvider>,
  )

const Today = () => <output>{useToday()}</output>

test.each([
  [{}, '2026-03-10'],
  [{ timezone: 'Europe/Berlin' }, '2026-03-11'],
  [{ timezone: 'UTC' }, '2026-03-11'],
])('today is the day of the organisation, else that of the device: %o', async (fields, day) => {
  process.env.TZ = 'America/Los_Angeles'
  await enter(fields)
  vi.useFakeTimers({ now: Date.parse('2026-03-11T01:00:00Z'), toFake: ['Date'] })
  show(<Today />)
  expect(screen.getByRole('status').textContent).toBe(day)
  expect(exportMessages.name(Date.now())).toContain('2026-03-10')
})

test('a member sees that the organisation has no time zone', async () => {
  await enter({})
  show(<General />)
  const term = await screen.findByText(messages.fields.timezone)
  expect(term.nextElementSibling?.textContent).toBe(messages.none)
})

test('the form of an organisation without a time zone has none, and saves the rest', async () => {
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  show(<GeneralForm organisation={organisationWith({})} onSaved={() => undefined} />)
  const field = await screen.findByLabelText<HTMLSelectElement>(
    new RegExp(`^${messages.fields.timezone}`),
  )
  expect(field.value).toBe('')
  await userEvent.type(screen.getByLabelText(messages.fields.name), ' Co')
  await userEvent.click(screen.getByRole('button', { name: messages.save }))
  expect(editOrganisation).toHaveBeenCalledWith(expect.anything(), { name: 'North Co' })
})
