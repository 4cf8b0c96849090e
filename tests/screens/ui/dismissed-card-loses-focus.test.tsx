// @vitest-environment jsdom
// A card is dismissed with the keyboard, and its button disappears with it.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { countPlan } from '../../../src/features/installing/card-memory.ts'
import { InstallCard } from '../../../src/features/installing/install-card.tsx'

// jsdom has no media queries.
beforeAll(() => vi.stubGlobal('matchMedia', () => ({ matches: false })))
afterEach(cleanup)

it('the focus goes to the heading of the page', async () => {
  countPlan('first plan')
  render(
    <>
      <h1 tabIndex={-1}>Second plan</h1>
      <InstallCard plan_id="second plan" />
    </>,
  )
  screen.getByRole('button', { name: 'Not now' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByRole('button', { name: 'Not now' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Second plan' }))
})
