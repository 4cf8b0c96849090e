// @vitest-environment jsdom
// The security settings say that a device never forgets its user, before the choice was read or when it cannot be.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ForgetDevice } from '../../../src/features/profile/security/forget-device.tsx'
import { securityMessages as messages } from '../../../src/features/profile/security/security-messages.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { openOffline } from '../fixtures/offline-client.ts'

afterEach(cleanup)

const choice = () => screen.getByRole<HTMLSelectElement>('combobox')

test('without the engine no choice is shown, and none can be made', async () => {
  const client = createSync(() => Promise.reject(new Error('The chunk could not be loaded.')))
  render(<ForgetDevice />)
  await waitFor(() => expect(client.failure.get()).toBeDefined())
  expect(choice().disabled).toBe(true)
  expect(screen.queryByText(messages.never)).toBe(null)
})

test('the stored choice is shown once it has been read', async () => {
  await openOffline()
  await (await sync().engine()).session.forgetAfter(14)
  render(<ForgetDevice />)
  await waitFor(() => expect(choice().value).toBe('14'))
  expect(choice().disabled).toBe(false)
})
