// Passkeys: discoverable WebAuthn credentials with user verification, in place of a password. The library is loaded
// with the first one.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/schemas/passkeys.ts'

/** A passkey as it is stored. */
interface StoredPasskey {
  /** The id that the authenticator gave it, base64url. */
  credential_id: string
  public_key: Uint8Array
  counter: number
  /** Separated by commas. */
  transports: string
}

/** What a challenge is for: another user, or another purpose, cannot use it. */
type Purpose = 'sign-in' | `register ${string}`

/** Makes and checks passkeys for one address of the app. */
export interface Passkeys {
  /** The host of the app: browsers offer a passkey only there. */
  rpId(): string
  /** A challenge that is valid for five minutes. Nothing is stored for it. */
  challenge(purpose: Purpose): string
  /** The challenge that an authenticator has signed; undefined when the response is malformed. */
  challengeIn(response: PasskeyAssertion): string | undefined
  /** The new passkey; undefined when the response is not valid for this user. */
  register(user_id: string, response: PasskeyRegistration): Promise<StoredPasskey | undefined>
  /** The passkey's new counter; undefined when the response is not valid. */
  authenticate(stored: StoredPasskey, response: PasskeyAssertion): Promise<number | undefined>
}

/** How long the user may take. */
export const CHALLENGE_TTL_MS = 5 * 60_000
const EXPIRY_BYTES = 8
const RANDOM_BYTES = 16

/** `tokenKey`: the key from which the key for challenges is derived. */
export function createPasskeys(options: {
  tokenKey: Buffer
  publicUrl: () => string
  now: () => Date
}): Passkeys {
  const { publicUrl, now } = options
  const key = Buffer.from(hkdfSync('sha256', options.tokenKey, '', 'passkey challenges', 32))
  const origin = () => new URL(publicUrl()).origin
  const rpId = () => new URL(publicUrl()).hostname
  const sign = (purpose: Purpose, content: Buffer) =>
    createHmac('sha256', key).update(`${purpose} `).update(content).digest()

  function isValid(purpose: Purpose, challenge: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    const content = bytes.subarray(0, EXPIRY_BYTES + RANDOM_BYTES)
    const signature = bytes.subarray(EXPIRY_BYTES + RANDOM_BYTES)
    const expected = sign(purpose, content)
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return false
    return Number(content.readBigUInt64BE()) > now().getTime()
  }

  return {
    rpId,

    challenge(purpose) {
      const content = Buffer.alloc(EXPIRY_BYTES + RANDOM_BYTES)
      content.writeBigUInt64BE(BigInt(now().getTime() + CHALLENGE_TTL_MS))
      randomBytes(RANDOM_BYTES).copy(content, EXPIRY_BYTES)
      return Buffer.concat([content, sign(purpose, content)]).toString('base64url')
    },

    challengeIn({ response }) {
      try {
        const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
        const { challenge } = JSON.parse(text) as { challenge?: unknown }
        return typeof challenge === 'string' ? challenge : undefined
      } catch {
        return undefined
      }
    },

    async register(user_id, response) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const attestationObject = await withoutAttestation(response.response.attestationObject)
      if (attestationObject === undefined) return undefined
      const unattested = { ...response, response: { ...response.response, attestationObject } }
      // The library throws for a response that is not valid.
      const verified = await verifyRegistrationResponse({
        response: unattested as RegistrationResponseJSON,
        expectedChallenge: (challenge) => isValid(`register ${user_id}`, challenge),
        expectedOrigin: origin(),
        expectedRPID: rpId(),
        requireUserVerification: true,
      }).catch(() => undefined)
      if (!verified?.verified) return undefined
      const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
      return {
        credential_id: id,
        public_key: publicKey,
        counter,
        transports: transports
          .filter((one) => /^[a-z-]{1,20}$/.test(one))
          .slice(0, 8)
          .join(','),
      }
    },

    async authenticate({ credential_id, public_key, counter }, response) {
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      // The library throws for a response that is not valid.
      const verified = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => isValid('sign-in', challenge),
        expectedOrigin: origin(),
        expectedRPID: rpId(),
        requireUserVerification: true,
        credential: { id: credential_id, publicKey: Uint8Array.from(public_key), counter },
      }).catch(() => undefined)
      return verified?.verified ? verified.authenticationInfo.newCounter : undefined
    },
  }
}

/**
 * An attestation object without its attestation, which says who made the authenticator: nothing depends on that. The
 * library would fetch the revocation lists that certificates in it name, and these may name any address. Undefined for
 * a malformed object.
 */
async function withoutAttestation(attestationObject: string): Promise<string | undefined> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } =
    await import('@simplewebauthn/server/helpers')
  try {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get(
      'authData',
    )
    const none = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ])
    return isoBase64URL.fromBuffer(isoCBOR.encode(none))
  } catch {
    return undefined
  }
}
