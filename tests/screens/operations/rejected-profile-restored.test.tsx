// @vitest-environment jsdom
// A rejected change of the profile could not be taken back by typing what was there before: what had been rejected was
// sent again.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { editProfile } from '../../../src/data/profile.ts'
import { ProfileForm } from '../../../src/features/profile/profile-form.tsx'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const USER = { id: 'ann', name: 'Ann', job_title: null, phone: null, timezone: 'UTC' } as User

test('a rejected name is replaced by the one before, beside what was not wrong', async () => {
  await editProfile({ name: 'Not accepted', job_title: 'Lead' })
  await rejectOperation(sync().operations.get()[0]?.id ?? '')
  render(<ProfileForm user={USER} onSaved={() => undefined} />)
  const name = await screen.findByDisplayValue('Not accepted')
  await userEvent.clear(name)
  await userEvent.type(name, 'Ann')
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() =>
    expect(sync().operations.get()).toMatchObject([
      { state: 'pending', input: { body: { name: 'Ann', job_title: 'Lead' } } },
    ]),
  )
})
