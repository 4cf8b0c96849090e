// @vitest-environment jsdom
// With a wrong encoding no heading is found, and the choice of another encoding was gone with the preview.
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { chooseAccounts } from '../fixtures/import-of-accounts.tsx'

afterEach(cleanup)

test('after a wrong encoding the right one can be chosen, with the focus still in the choice', async () => {
  await chooseAccounts('Name,ARR\nMüller,1\n')
  await userEvent.selectOptions(await screen.findByLabelText(messages.encoding), 'utf-16le')
  expect(screen.getByText(messages.noRequired('Name'))).toBeTruthy()
  const encoding = screen.getByLabelText<HTMLSelectElement>(messages.encoding)
  expect([encoding.value, document.activeElement]).toEqual(['utf-16le', encoding])
  await userEvent.selectOptions(encoding, 'utf-8')
  expect(await screen.findByText('Müller')).toBeTruthy()
  expect(screen.queryByText(messages.noRequired('Name'))).toBe(null)
})
