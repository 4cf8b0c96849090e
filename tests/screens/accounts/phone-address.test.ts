import { expect, it } from 'vitest'
import { phoneAddress } from '../../../src/features/accounts/detail/phone-address.ts'

it.for([
  ['+44 20 7946 0123', 'tel:+442079460123'],
  ['030/123-45.6', 'tel:030123456'],
  ['+49 (0)30 123', 'tel:+4930123'],
  ['(0)30 123', 'tel:030123'],
  ['+1 (212) 555 0100 ext. 12', 'tel:+12125550100;ext=12'],
  ['+44 20 7946 0123 x89', 'tel:+442079460123;ext=89'],
  ['030 123 X 4-5', 'tel:030123;ext=45'],
  ['(0)30 123x', 'tel:030123'],
  // Other servers accept more.
  ['Fax: 030 123', 'tel:030123'],
  ['none', 'tel:'],
])('%s is dialled as %s', ([phone, address]) => {
  expect(phoneAddress(phone!)).toBe(address)
})
