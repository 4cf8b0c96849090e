// The ceremony that signs in with a passkey (WebAuthn, level 3). Loaded when the user asks for it.
import { startAuthentication } from '@simplewebauthn/browser'
import { endpoints } from '../../../../contract/endpoints.ts'
import { sync } from '../../../sync/client.ts'
import type { SignInResult } from '../../../sync/core/token-client.ts'
import { explainFailure } from './explain.ts'

/** Signs in with a passkey. Rejects with a CallError when the server gives no challenge. */
export async function signInWithPasskey(): Promise<SignInResult> {
  const { challenge, rp_id } = await sync().call(endpoints.startPasskeySignIn, {})
  const answer = await startAuthentication({
    optionsJSON: { challenge, rpId: rp_id, userVerification: 'required' },
  }).catch(explainFailure)
  if (typeof answer === 'string') return { ok: false, reason: 'refused', message: answer }
  const { id, rawId, response } = answer
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return await sync().signInWith({
    grant_type: 'passkey',
    credential: {
      id,
      rawId,
      type: 'public-key',
      response: {
        clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle !== undefined && { userHandle }),
      },
      clientExtensionResults: {},
    },
  })
}
