// @vitest-environment jsdom
// A server in front of which the app stands has words of its own, such as the status `on_ice`. A form checked all its
// fields against the app's words: nothing of such a record could be edited, and its menus showed their first choice.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Organisation } from '../../../contract/schemas/organisations.ts'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { User } from '../../../contract/schemas/people.ts'
import { validate } from '../../../contract/errors.ts'
import { AccountForm } from '../../../src/features/accounts/account-form.tsx'
import { ContactDialog } from '../../../src/features/accounts/detail/contact-dialog.tsx'
import { ActionDialog } from '../../../src/features/actions/action-dialog.tsx'
import { EditInitiative } from '../../../src/features/initiatives/initiative-dialog.tsx'
import { GeneralForm } from '../../../src/features/organisations/general-form.tsx'
import { ProfileForm } from '../../../src/features/profile/profile-form.tsx'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import { TemplateForm } from '../../../src/features/templates/template-form.tsx'
import { TemplateRow } from '../../../src/features/templates/template-row.tsx'
import { editOrganisation } from '../../../src/data/organisations/mutations.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith, actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

vi.mock(import('../../../src/data/organisations/mutations.ts'), async (load) => ({
  ...(await load()),
  editOrganisation: vi.fn(async () => undefined),
}))
beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await emptyOutbox()
})

const close = () => undefined
const open = (form: ReactNode) =>
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>
    </MemoryRouter>,
  )
const valueOf = (label: RegExp) => {
  const field = screen.getByLabelText<HTMLSelectElement>(label)
  return field.selectedOptions[0]?.textContent
}
const change = async (label: string | RegExp, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const save = () => userEvent.click(screen.getByRole('button', { name: /^Save/ }))
const sent = async () => {
  await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
  return sync().operations.get()[0]?.input.body
}

const initiative = initiativeWith({ id: 'i1', title: 'Pilot', status: 'on_ice', health: 'green' })
const account = accountWith({
  id: 'a1',
  name: 'Flood Co',
  status: 'lead',
  tier: 'gold',
  health: 'green',
  website: 'flood.example',
  contacts: [
    { id: 'c1', name: 'Mia', email: 'mia at flood', title: null, role: null, is_primary: false },
  ],
})
const action = actionWith({ id: 't1', title: 'Call', status: 'open', priority: 'urgent' })
const plan = planWith({
  id: 'p1',
  title: 'Rollout',
  type: 'renewal',
  account_id: null,
  progress_mode: 'sum',
  update_cadence_days: 10,
  start_date: '2026-01-01',
  end_date: '2026-02-01',
})
const planForm = <PlanForm plan={plan} onDone={close} onCancel={close} />

test.each<[string, () => ReactNode, Record<string, string>]>([
  [
    'an initiative',
    () => <EditInitiative initiative={initiative} onClose={close} />,
    { Status: 'On ice', Health: 'Green' },
  ],
  [
    'an account',
    () => <AccountForm account={account} onDone={close} onCancel={close} />,
    { Status: 'Lead', Tier: 'Gold', Health: 'Green' },
  ],
  [
    'an action',
    () => <ActionDialog action={action} contacts={[]} onClose={close} />,
    { Status: 'Open', Priority: 'Urgent' },
  ],
  [
    'a plan',
    () => planForm,
    { Type: 'Renewal plan', Progress: 'Sum', 'Update cadence': 'Every 10 days' },
  ],
])(
  '%s with unknown words is shown with them, and only its title is sent',
  async (_, form, words) => {
    open(form())
    await change(/^(Title|Name)$/, 'Another')
    for (const [label, word] of Object.entries(words))
      expect(valueOf(new RegExp(`^${label}( |$)`))).toBe(word)
    await save()
    const body = (await sent()) as object
    expect(Object.values({ ...body, id: undefined }).filter(Boolean)).toEqual(['Another'])
  },
)

test('the form of a template shows its unknown words, and so does the list', async () => {
  const call = { title: 'Call', description: null, due_offset_days: 1, assignee_role: 'sales' }
  const template = {
    ...blankRecords.templates,
    id: 'te1',
    title: 'Onboarding',
    type: 'renewal',
    update_cadence_days: 10,
    initiatives: [
      {
        title: 'Start',
        description: null,
        start_offset_days: 0,
        end_offset_days: 5,
        actions: [call],
      },
    ],
  }
  open(<TemplateForm template={template} onDone={close} onCancel={close} />)
  await screen.findByLabelText('Title')
  const words = { Type: 'Renewal plan', 'Update cadence': 'Every 10 days', Assignee: 'Sales' }
  for (const [label, word] of Object.entries(words))
    expect(valueOf(new RegExp(`^${label}( |$)`))).toBe(word)
  cleanup()
  open(<TemplateRow template={template} writeBlocker={undefined} />)
  screen.getByText(/Renewal plan/)
})

test('a word is checked once it was changed, and so is a day against the unchanged one', async () => {
  open(planForm)
  await change(/^Start/, '2026-03-01')
  await save()
  await screen.findByRole('alert')
  expect(sync().operations.get()).toEqual([])
  await change('Title', ' ')
  await save()
  await screen.findByText(/^Title: /)
})

test('of a contact with an unreadable address another field can be changed', async () => {
  open(<ContactDialog account={account} contact={account.contacts[0]} onClose={close} />)
  await change(/^Name/, 'Mia Fell')
  await save()
  expect(await sent()).toMatchObject({ contacts: [{ name: 'Mia Fell', email: 'mia at flood' }] })
})

test('a name is changed beside a time zone that the app does not know', async () => {
  const user = validate(User, {
    id: 'ann',
    name: 'Ann',
    email: 'a@example.com',
    timezone: 'Mars/X',
  })
  if (!user.ok) throw new Error('no user')
  open(<ProfileForm user={user.value} onSaved={close} />)
  await change('Name', 'Ann Fell')
  await save()
  expect(await sent()).toEqual({ name: 'Ann Fell' })
})

test('an organisation is renamed beside an unknown time zone and currency', async () => {
  const north = { id: 'north', name: 'North', timezone: 'Mars/X', currency: 'points' }
  const organisation = validate(Organisation, north)
  if (!organisation.ok) throw new Error('no organisation')
  // The engine, which has no network, would say otherwise.
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  open(<GeneralForm organisation={organisation.value} onSaved={close} />)
  await change('Name', 'North Co')
  await save()
  await waitFor(() => expect(editOrganisation).toHaveBeenCalledOnce())
  expect(editOrganisation).toHaveBeenCalledWith(organisation.value, { name: 'North Co' })
})
