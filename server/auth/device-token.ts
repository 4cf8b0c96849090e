// Device tokens: a device that was signed in to an account proves it at its next sign-in, so that the wrong
// passwords of others do not lock it out (OWASP: Slow Down Online Guessing Attacks with Device Cookies). They
// give no access. A new password ends them: an intruder may have some, and each allows more guesses.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Most tokens that one request may present: one for each user of the device. */
const MAX_PRESENTED = 5

/** Whose tokens they are, with the present password. */
interface Holder {
  id: string
  password_hash: string | null
}

/** Issues and checks device tokens. */
export interface DeviceTokens {
  /** A new token for a device on which this user has signed in. */
  issue(user: Holder): string
  /** The id of the device, when one of the tokens (separated by blanks) was issued for this user. */
  find(user: Holder | undefined, presented: string | undefined): string | undefined
}

/** `key`: the token key, from which the key for these tokens is derived. */
export function createDeviceTokens(tokenKey: Buffer): DeviceTokens {
  const key = Buffer.from(hkdfSync('sha256', tokenKey, '', 'device tokens', 32))
  const sign = (user: Holder | undefined, device: string) =>
    createHmac('sha256', key)
      .update(`${user?.id} ${device} ${user?.password_hash ?? ''}`)
      .digest()
  return {
    issue(user) {
      const device = randomBytes(16).toString('base64url')
      return `${device}.${sign(user, device).toString('base64url')}`
    },
    find(user, presented) {
      const tokens = (presented ?? '').split(' ', MAX_PRESENTED).map((token) => token.split('.'))
      return tokens.find(([device = '', signature = '']) => {
        const given = Buffer.from(signature, 'base64url')
        const expected = sign(user, device)
        return (
          user !== undefined && given.length === expected.length && timingSafeEqual(given, expected)
        )
      })?.[0]
    },
  }
}
