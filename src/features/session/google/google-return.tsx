import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { endpoints } from '../../../../contract/endpoints.ts'
import { sync } from '../../../sync/client.ts'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { googleMessages as messages } from './messages.ts'
import { readAnswer, consumeAuthRequest, type AuthRequest } from './auth-request.ts'
import { returnPath, returnPathFor } from '../return-path.ts'

interface GoogleReturnProps {
  /** The URL fragment. */
  answer: string
  /** Called with a message when the sign-in failed. */
  onFailed: (reason: string) => void
}

/** `/auth#id_token=…&state=…`: the return from Google. */
export function GoogleReturn({ answer, onFailed }: GoogleReturnProps) {
  const navigate = useNavigate()
  const begun = useRef(false)

  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const errand = consumeAuthRequest()
    // Removes the token from the URL, which the browser would store in its history.
    void navigate(formOf(errand), { replace: true })
    void signIn(answer, errand).then(
      (outcome) =>
        'to' in outcome ? navigate(outcome.to, { replace: true }) : onFailed(outcome.reason),
      () => onFailed(messages.failures.failed),
    )
  }, [answer, navigate, onFailed])

  return (
    <>
      <PageHeading title={messages.returning} />
      <output className="mt-1 block text-ink-muted">{messages.returningLead}</output>
    </>
  )
}

/** The form the user came from, for another attempt. */
function formOf(errand: AuthRequest | null): string {
  const redirect = errand?.redirect
  const query = redirect ? `?redirect=${encodeURIComponent(redirect)}` : ''
  return `/auth${query}${errand?.invite ?? ''}`
}

/**
 * Signs in with Google's answer. Resolves with the path to continue at, or with the reason for the
 * failure.
 */
async function signIn(
  said: string,
  errand: AuthRequest | null,
): Promise<{ to: string } | { reason: string }> {
  const answer = readAnswer(said, errand)
  if ('failure' in answer || !errand)
    return { reason: messages.failures['failure' in answer ? answer.failure : 'foreign'] }
  const before = sync().session.lastSignOut()
  const result = await sync().signInSocially('google', answer.token, errand.nonce)
  if (!result.ok)
    return {
      reason: result.reason === 'unreachable' ? messages.failures.unreachable : result.message,
    }
  if (errand.invite) return { to: `/auth/registration${errand.invite}` }
  if (errand.redirect !== null)
    return { to: returnPathFor(errand.redirect, before, sync().session.current()) }
  // New users continue with onboarding.
  const onboarding = await sync()
    .call(endpoints.getOnboarding, {})
    .catch(() => null)
  return { to: onboarding?.status === 'not-started' ? '/onboarding' : returnPath(null) }
}
