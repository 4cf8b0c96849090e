import { expect, it } from 'vitest'
import { phoneAddress } from '../../../src/features/accounts/detail/phone-address.ts'

it.for([
  ['+44 20 7946 0123', 'tel:+442079460123'],
  ['030/123-45.6', 'tel:030123456'],
  ['+49 (0)30 123', 'tel:+4930123'],
  ['(0)30 123', 'tel:030123'],
  ['+1 (212) 555 0100 ext. 12', 'tel:+12125550100;ext=12'],
])('%s is dialled as %s', ([phone, address]) => {
  expect(phoneAddress(phone!)).toBe(address)
})
