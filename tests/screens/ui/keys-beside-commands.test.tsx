// @vitest-environment jsdom
// Only the list of shortcuts and the palette said which keys press what is on the screen.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { Component as AccountScreen } from '../../../src/features/accounts/list-screen.tsx'
import { Component as InitiativeScreen } from '../../../src/features/initiatives/list-screen.tsx'
import { Component as PlanScreen } from '../../../src/features/success-plans/list/list-screen.tsx'
import { fetchPlanList } from '../../../src/features/success-plans/list/list-parts.ts'
import { Component as TemplateScreen } from '../../../src/features/templates/list-screen.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { RecordMenu } from '../../../src/widgets/editing/record-menu.tsx'
import { SingleKeysField } from '../../../src/widgets/keys/single-keys-field.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
  const media = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
  // jsdom has no popovers.
  Object.assign(HTMLElement.prototype, { hidePopover() {} })
  await openOffline()
  await fetchPlanList()
  const put = {
    success_plans: [planWith()],
    accounts: [accountWith()],
    initiatives: [initiativeWith()],
    actions: [],
    templates: [{ ...blankRecords.templates, id: 'template', title: 'Onboarding' }],
  }
  await (await sync().engine()).activeReplica()?.apply({ put, deleted: [] })
})
afterEach(cleanup)

const show = (part: ReactNode) =>
  render(
    <QueryProvider>
      <BrowserRouter>
        {part}
        <SingleKeysField />
      </BrowserRouter>
    </QueryProvider>,
  )
const turnKeys = async () => await userEvent.click(screen.getByRole('switch'))
const keysOf = (element: Element) => element.getAttribute('aria-keyshortcuts')

const SCREENS: Record<string, [Screen: () => ReactNode, create: string, role: string]> = {
  plans: [PlanScreen, 'New plan', 'link'],
  accounts: [AccountScreen, 'New account', 'link'],
  initiatives: [InitiativeScreen, 'New initiative', 'button'],
}

test.each(Object.entries(SCREENS))(
  'the list of %s says the keys of its search and of what creates, unless they are off',
  async (_, [Screen, name, role]) => {
    show(<Screen />)
    const create = await screen.findByRole(role, { name }, { timeout: 30_000 })
    const search = await screen.findByRole('searchbox', {}, { timeout: 30_000 })
    const said = () => [keysOf(create), create.title, keysOf(search)]
    expect(said()).toEqual(['C', `${name} (C)`, '/'])
    await turnKeys()
    expect(said()).toEqual([null, '', null])
    expect(create.dataset['key']).toBe('c')
    await turnKeys()
    expect(said()).toEqual(['C', `${name} (C)`, '/'])
  },
)

test('the list of templates shows the key of what creates one', async () => {
  show(<TemplateScreen />)
  const create = await screen.findByRole('button', { name: 'New template' }, { timeout: 30_000 })
  expect(keysOf(create)).toBe('C')
})

test('the menu of a record shows the key that edits it, unless keys are off', async () => {
  const record = { id: 'plan', created_by: null }
  show(
    <RecordMenu record={record} title="Plan" resource="success_plans" onEdit={() => undefined} />,
  )
  const edit = screen.getByRole('menuitem', { name: 'Edit', hidden: true })
  const shown = () => edit.querySelector('kbd')?.dataset['keys']
  expect([keysOf(edit), shown()]).toEqual(['E', 'E'])
  await turnKeys()
  await waitFor(() => expect([keysOf(edit), shown()]).toEqual([null, undefined]))
  expect(edit.dataset['key']).toBe('e')
  await turnKeys()
})

test('the key beside an item chooses it in the open menu', () => {
  const onEdit = vi.fn()
  show(
    <RecordMenu
      record={{ id: 'plan', created_by: null }}
      title="Plan"
      resource="success_plans"
      onEdit={onEdit}
    />,
  )
  const edit = screen.getByRole('menuitem', { name: 'Edit', hidden: true })
  fireEvent.keyDown(edit, { key: 'e' })
  expect(onEdit).toHaveBeenCalledOnce()
})
