// @vitest-environment jsdom
// A form whose first attempt had arrived, though its answer was lost, closed as if the second one had saved what was
// typed in between; and one in which nothing was typed made the record a second time once it was opened again.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { OrganisationStep } from '../../../src/features/onboarding/about-steps.tsx'
import { onboardingMessages } from '../../../src/features/onboarding/messages.ts'
import { organisationMessages } from '../../../src/features/organisations/messages.ts'
import { NewOrganisation } from '../../../src/features/organisations/new-organisation.tsx'
import {
  fromTemplateMessages,
  templateFormMessages,
} from '../../../src/features/templates/messages.ts'
import { SaveAsTemplate } from '../../../src/features/templates/save-as-template.tsx'
import { TemplateForm } from '../../../src/features/templates/template-form.tsx'
import { CallError, sync } from '../../../src/sync/client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

// The user of the fixture has no role, and no network.
vi.mock('../../../src/features/templates/use-write-blocker.ts', () => ({
  useWriteBlocker: () => undefined,
}))
beforeAll(async () => {
  await openOffline()
  sync().capabilities.set('ids,keys,templates')
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
})
afterEach(async () => {
  cleanup()
  await sync().chooseOrganisation(ANN.active_organisation)
})

type Fields = Record<string, unknown>
const MADE_AT = { created_at: '2026-03-03T10:00:00Z', updated_at: '2026-03-03T10:00:00Z' }

/** A server that makes a record once for each id. The answer to the first creation is lost. */
function serve(create: object, update: object, made: Fields = MADE_AT) {
  const records = new Map<unknown, Fields>()
  vi.spyOn(sync(), 'pull').mockResolvedValue()
  const call = vi.spyOn(sync(), 'call')
  onTestFinished(() => call.mockRestore())
  call.mockImplementation(async (called, { path, body }) => {
    const row: object = called
    const { id = path?.id, ...fields } = (body ?? {}) as Fields
    if (row === update) records.set(id, { ...records.get(id), ...fields })
    if (row !== create) return records.get(id)
    if (records.has(id)) return records.get(id)
    const { from_success_plan_id: _, ...stored } = fields
    // The fields of a template, and the own role of an organisation.
    const defaults = { ...blankRecords.templates, pivot: { role: 'owner' } }
    records.set(id, { ...defaults, ...stored, ...made, id })
    throw new CallError('unreachable')
  })
  return () => [...records.values()]
}

const show = (form: ReactNode) =>
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>
    </MemoryRouter>,
  )
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name: new RegExp(`^${label}`) }), {
    target: { value },
  })
const isLost = () => screen.findByText(editingMessages.unreachable)

test('a new template gets what was typed after its first attempt', async () => {
  const stored = serve(endpoints.createTemplate, endpoints.updateTemplate)
  const done = vi.fn()
  show(<TemplateForm onDone={done} onCancel={() => undefined} />)
  await type(templateFormMessages.fields.title, 'Onboarding')
  await type(templateFormMessages.fields.description, 'For new customers.')
  await press(templateFormMessages.create)
  await isLost()
  await type(templateFormMessages.fields.duration_days, '30')
  await type(templateFormMessages.fields.description, '')
  await press(templateFormMessages.create)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(stored()).toMatchObject([{ title: 'Onboarding', duration_days: 30, description: null }])
})

test('what another person has made of the new template is replaced only once the user knows', async () => {
  const changed = { ...MADE_AT, description: 'Theirs', updated_at: '2026-03-03T11:00:00Z' }
  const stored = serve(endpoints.createTemplate, endpoints.updateTemplate, changed)
  const done = vi.fn()
  show(<TemplateForm onDone={done} onCancel={() => undefined} />)
  await type(templateFormMessages.fields.title, 'Onboarding')
  await press(templateFormMessages.create)
  await isLost()
  await type(templateFormMessages.fields.duration_days, '30')
  await press(templateFormMessages.create)
  await screen.findByText(templateFormMessages.changedMeanwhile)
  expect([stored(), done.mock.calls]).toMatchObject([[{ duration_days: 90 }], []])
  await press(templateFormMessages.create)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(stored()).toMatchObject([{ duration_days: 30 }])
})

test('a plan that is saved as a template gets the title of the last attempt', async () => {
  const stored = serve(endpoints.createTemplate, endpoints.updateTemplate)
  const done = vi.fn()
  show(<SaveAsTemplate plan={planWith({ title: 'Pilot' })} onClose={done} />)
  await press(fromTemplateMessages.save)
  await isLost()
  await type(fromTemplateMessages.saveTitle, 'Pilots')
  await press(fromTemplateMessages.save)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(stored()).toMatchObject([{ title: 'Pilots' }])
})

test('a plan that is saved as a template again, after an attempt whose answer was lost, is one template', async () => {
  const stored = serve(endpoints.createTemplate, endpoints.updateTemplate)
  const done = vi.fn()
  const form = <SaveAsTemplate plan={planWith({ title: 'Pilot' })} onClose={done} />
  show(form)
  await press(fromTemplateMessages.save)
  await isLost()
  cleanup()
  show(form)
  await press(fromTemplateMessages.save)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(stored()).toHaveLength(1)
})

test('a new organisation gets the name of the last attempt', async () => {
  const stored = serve(endpoints.createOrganisation, endpoints.updateOrganisation)
  const done = vi.fn(async () => undefined)
  show(<NewOrganisation onClose={() => undefined} onCreated={done} />)
  await type(organisationMessages.name, 'Noth')
  await press(organisationMessages.submit)
  await isLost()
  await type(organisationMessages.name, 'North')
  await press(organisationMessages.submit)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(stored()).toMatchObject([{ name: 'North' }])
  expect(sync().session.current()?.active_organisation).toMatchObject({ name: 'North' })
})

test('the first organisation gets what was typed after its first attempt', async () => {
  await sync().chooseOrganisation(null)
  const stored = serve(endpoints.createOrganisation, endpoints.updateOrganisation)
  const done = vi.fn()
  show(<OrganisationStep user={ANN.user as never} onDone={done} />)
  await type(onboardingMessages.organisation.fields.name, 'Noth')
  await press(onboardingMessages.organisation.create)
  await isLost()
  await type(onboardingMessages.organisation.fields.name, 'North')
  await press(onboardingMessages.organisation.create)
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(stored()).toMatchObject([{ name: 'North' }])
  expect(sync().session.current()?.active_organisation).toMatchObject({ name: 'North' })
})
