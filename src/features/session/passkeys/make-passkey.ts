// The ceremony that makes a passkey (WebAuthn, level 3). Loaded when the user asks for one.
import { startRegistration } from '@simplewebauthn/browser'
import { endpoints } from '../../../../contract/endpoints.ts'
import type { User } from '../../../../contract/schemas/people.ts'
import { sync } from '../../../sync/client.ts'
import { explainFailure } from './explain.ts'
import { PasskeyError } from './passkey-error.ts'

/** ES256, Ed25519 and RS256 (COSE algorithms). */
const ALGORITHMS = [-7, -8, -257]

/** Makes a passkey and stores it with the account. Rejects with a CallError, or a PasskeyError. */
export async function makePasskey(user: User): Promise<void> {
  const offer = await sync().call(endpoints.offerPasskey, {})
  const made = await startRegistration({
    optionsJSON: {
      challenge: offer.challenge,
      rp: { id: offer.rp_id, name: 'Cairn' },
      user: { id: offer.user_handle, name: user.email, displayName: user.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: offer.exclude.map((id) => ({ type: 'public-key', id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  }).catch((problem: unknown) => {
    throw new PasskeyError(explainFailure(problem), { cause: problem })
  })
  const { id, rawId, response } = made
  const { clientDataJSON, attestationObject, transports } = response
  await sync().call(endpoints.createPasskey, {
    body: {
      id,
      rawId,
      type: 'public-key',
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
    },
  })
}
