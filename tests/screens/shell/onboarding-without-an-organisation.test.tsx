// @vitest-environment jsdom
// A user who skips the organisation is led through three steps in a row that need one. Of each step that was left its
// heading stayed.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Component as Onboarding } from '../../../src/features/onboarding/onboarding-screen.tsx'
import { answerQuery } from '../../../src/data/record-queries.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import { press } from '../fixtures/press.ts'

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  await openOffline()
  const { queryKey } = answerQuery('getOnboarding', {})
  const open = { organisation: false, invite: false, first_account: false, first_plan: false }
  const steps = { ...open, profile: true, install: false }
  queryClient.setQueryData(queryKey, { status: 'in-progress', steps })
})
afterEach(cleanup)

const showStep = (name: string) =>
  render(
    <MemoryRouter initialEntries={[`/onboarding?step=${name}`]}>
      <Onboarding />
    </MemoryRouter>,
  )

test('without an organisation the steps that need one are skipped with it', async () => {
  await sync().chooseOrganisation(null)
  showStep('organisation')
  await press('Skip this step and the 3 that need it')
  await screen.findByRole('heading', { name: 'Install the app' })
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
})

test('within an organisation the step is skipped alone, and the next one follows', async () => {
  await sync().chooseOrganisation({
    ...ANN.active_organisation,
    user_id: 'ann',
    pivot: { role: 'owner' },
  })
  showStep('organisation')
  await press('Skip this step')
  expect(await screen.findByRole('heading', { name: 'Who works with you?' })).toBeTruthy()
})
