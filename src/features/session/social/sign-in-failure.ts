// Why a sign-in with a provider or a passkey failed: in the server's words, or by what it did.
import { CallError } from '../../../sync/client.ts'
import type { SignInResult } from '../../../sync/core/token-client.ts'
import { sessionMessages } from '../messages.ts'
import { socialMessages } from './messages.ts'

const { failures } = socialMessages

type Failure = Omit<Extract<SignInResult, { ok: false }>, 'ok'>

/** Why a sign-in at the server failed, as a sentence. */
export const signInFailure = ({ reason, message, retryAfterMs }: Failure): string => {
  if (message) return message
  if (reason === 'limited') return sessionMessages.limited(retryAfterMs)
  if (reason === 'not-understood') return sessionMessages[reason]
  return reason === 'refused' ? failures.failed : failures.unreachable
}

/** Why the call before it, which begins the sign-in, failed. */
export function beginningFailure(problem: unknown): string {
  if (!(problem instanceof CallError)) return failures.unreachable
  const { kind, message } = problem
  return message || (kind === 'refused' ? failures.failed : failures.unreachable)
}
