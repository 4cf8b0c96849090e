// @vitest-environment jsdom
// Another tab opens another organisation while a step of the onboarding is open: the account, the plan and the
// invitation were made there without a word.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Component as Onboarding } from '../../../src/features/onboarding/onboarding-screen.tsx'
import { answerQuery, recordsQuery } from '../../../src/data/record-queries.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'

const NORTH = { id: 'north', name: 'Northwind', user_id: 'ann' }
const SOUTH = { id: 'south', name: 'Southwind', user_id: 'ann' }

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  await openOffline()
  const open = { invite: false, first_account: false, first_plan: false, install: false }
  const steps = { ...open, profile: true, organisation: true }
  queryClient.setQueryData(answerQuery('getOnboarding', {}).queryKey, {
    status: 'in-progress',
    steps,
  })
})
beforeEach(async () => {
  for (const organisation of [SOUTH, NORTH]) {
    await sync().chooseOrganisation(organisation)
    queryClient.setQueryData(recordsQuery('accounts').queryKey, [])
  }
})
afterEach(cleanup)

const showStep = (name: string) =>
  render(
    <MemoryRouter initialEntries={[`/onboarding?step=${name}`]}>
      <Onboarding />
    </MemoryRouter>,
  )
/** As another tab opens it. */
const openElsewhere = () =>
  act(async () => {
    const engine = await sync().engine()
    await engine.session.update(ANN.user.id, { active_organisation: SOUTH })
  })
const name = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Customer name' })
const press = async (label: string) => userEvent.click(screen.getByRole('button', { name: label }))

test.each(['invite', 'first_account', 'first_plan'])(
  'the step %s says that another organisation was opened',
  async (step) => {
    showStep(step)
    await screen.findByRole('heading', { level: 1 })
    await openElsewhere()
    expect(
      await screen.findByRole('heading', {
        name: 'Southwind was opened in another tab',
        level: 1,
      }),
    ).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBe(null)
  },
)

test('typed text comes back in the organisation that it was typed in, and not in the other', async () => {
  showStep('first_account')
  await userEvent.type(await name(), 'Meridian')
  await openElsewhere()
  await screen.findByRole('heading', { name: 'Southwind was opened in another tab', level: 1 })
  await press('Switch back to Northwind')
  await waitFor(async () => expect((await name()).value).toBe('Meridian'))
  await openElsewhere()
  await screen.findByRole('heading', { name: 'Southwind was opened in another tab', level: 1 })
  await press('Continue in Southwind')
  await screen.findByRole('heading', { level: 1 })
  cleanup()
  showStep('first_account')
  expect((await name()).value).toBe('')
})

test('a step that needs no organisation goes on', async () => {
  showStep('install')
  await openElsewhere()
  expect(await screen.findByRole('heading', { name: 'Install the app' })).toBeTruthy()
})
