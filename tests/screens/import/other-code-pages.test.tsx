// @vitest-environment jsdom
// A list that Excel saved on a Polish, Russian or Japanese computer was read with wrong letters, and no other encoding
// could be chosen.
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { chooseAccounts } from '../fixtures/import-of-accounts.tsx'

afterEach(cleanup)

test.each([
  ['windows-1250', 'Łódź', 'a3f3649f'],
  ['windows-1251', 'Москва', 'cceef1eae2e0'],
  ['windows-1252', 'Köln', '4bf66c6e'],
  ['windows-1253', 'Αθήνα', 'c1e8deede1'],
  ['windows-1254', 'İstanbul', 'dd7374616e62756c'],
  ['windows-1255', 'חיפה', 'e7e9f4e4'],
  ['windows-1256', 'عمان', 'dae3c7e4'],
  ['windows-1257', 'Rīga', '52ee6761'],
  ['windows-1258', 'Đông', 'd0f46e67'],
  ['windows-874', 'ระยอง', 'c3d0c2cda7'],
  ['shift_jis', '東京', '938c8b9e'],
  ['gb18030', '北京', 'b1b1bea9'],
  ['big5', '臺北', 'bb4fa55f'],
  ['euc-kr', '서울', 'bcadbfef'],
])('a list in %s can be read: %s', async (encoding, name, hex) => {
  await chooseAccounts('Name,ARR\n', Buffer.from(hex, 'hex'), ',1\n')
  await userEvent.selectOptions(await screen.findByLabelText(messages.encoding), encoding)
  expect(await screen.findByText(name)).toBeTruthy()
})
