import { WebAuthnError } from '@simplewebauthn/browser'
import { passkeyFailures as messages } from './messages.ts'

/** Why a ceremony failed, as a text for the user. */
export function explainFailure(problem: unknown): string {
  const code = problem instanceof WebAuthnError ? problem.code : undefined
  const name = problem instanceof Error ? problem.name : ''
  return code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    ? messages.known
    : code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID'
      ? messages.wrongAddress
      : name === 'NotAllowedError' || name === 'AbortError'
        ? messages.cancelled
        : messages.failed
}
