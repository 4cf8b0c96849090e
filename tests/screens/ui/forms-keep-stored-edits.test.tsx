// @vitest-environment jsdom
// The code of a form arrived before the outbox was read: it kept the fields of its first render, and showed a record
// without the edits that are stored on this device.
import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { AccountForm } from '../../../src/features/accounts/account-form.tsx'
import { ActionDialog } from '../../../src/features/actions/action-dialog.tsx'
import { EditInitiative } from '../../../src/features/initiatives/initiative-dialog.tsx'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import { TemplateForm } from '../../../src/features/templates/template-form.tsx'
import { sync } from '../../../src/sync/client.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const close = () => undefined
const FORMS: Record<string, (text: string) => ReactNode> = {
  plan: (title) => <PlanForm plan={planWith({ title })} onDone={close} onCancel={close} />,
  account: (name) => (
    <AccountForm account={accountWith({ name })} onDone={close} onCancel={close} />
  ),
  initiative: (title) => <EditInitiative initiative={initiativeWith({ title })} onClose={close} />,
  action: (title) => <ActionDialog action={actionWith({ title })} contacts={[]} onClose={close} />,
  template: (title) => (
    <TemplateForm
      template={{ ...blankRecords.templates, id: 'onboarding', title, version: 5 }}
      onDone={close}
      onCancel={close}
    />
  ),
}

test.each(Object.entries(FORMS))('the form of a stored %s shows its edits', async (_, form) => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const engine = await sync().ready()
  vi.spyOn(sync(), 'ready').mockResolvedValue({ ...engine, decided: started })
  const client = new QueryClient()
  const screenWith = (text: string) => (
    <MemoryRouter>
      <QueryClientProvider client={client}>{form(text)}</QueryClientProvider>
    </MemoryRouter>
  )
  const { rerender } = render(screenWith('As pulled'))
  expect(screen.queryByDisplayValue('As pulled')).toBe(null)
  await act(async () => {
    rerender(screenWith('Edited offline'))
    start()
    await started
  })
  expect(await screen.findByDisplayValue('Edited offline')).toBeTruthy()
})
