// @vitest-environment jsdom
// Where no plans could be read, the review and the screen for shared text showed a skeleton for ever.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { planMessages } from '../../../src/features/success-plans/messages.ts'
import { Review } from '../../../src/features/success-plans/review/review.tsx'
import { sharedMessages } from '../../../src/features/success-plans/share-target/messages.ts'
import { ShareTarget } from '../../../src/features/success-plans/share-target/share-target.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(cleanup)

const notHere = async () =>
  await screen.findByText(planMessages.notHereTitle, undefined, { timeout: 30_000 })

test('the review says that the plans are not on the device', async () => {
  show(<Review />)
  expect(await notHere()).toBeTruthy()
})

test('shared text can be copied where the plans are not on the device, and the screen says so', async () => {
  show(<ShareTarget />)
  expect(await notHere()).toBeTruthy()
  expect(screen.getByText('A shared sentence.')).toBeTruthy()
  expect(screen.getByRole('button', { name: sharedMessages.copy })).toBeTruthy()
})

function show(page: React.ReactNode) {
  render(
    <MemoryRouter initialEntries={['/success-plans?share_text=A+shared+sentence.']}>
      <QueryClientProvider client={new QueryClient()}>{page}</QueryClientProvider>
    </MemoryRouter>,
  )
}
