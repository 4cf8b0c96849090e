import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { endpoints } from '../../../../contract/endpoints.ts'
import { sync } from '../../../sync/client.ts'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { socialMessages as messages } from './messages.ts'
import { readAnswer, consumeAuthRequest, type AuthRequest } from './auth-request.ts'
import { returnPath, returnPathFor } from '../return-path.ts'

interface SocialReturnProps {
  /** The URL fragment. */
  answer: string
  /** Called with a message when the sign-in failed. */
  onFailed: (reason: string) => void
}

/** `/auth#id_token=…&state=…` or `/auth#code=…&state=…`: the return from a provider. */
export function SocialReturn({ answer, onFailed }: SocialReturnProps) {
  const navigate = useNavigate()
  const isStarted = useRef(false)

  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    const request = consumeAuthRequest()
    // Removes the answer from the URL, which the browser would store in its history.
    void navigate(formOf(request), { replace: true })
    void signIn(answer, request).then(
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
function formOf(request: AuthRequest | null): string {
  const redirect = request?.redirect
  const query = redirect ? `?redirect=${encodeURIComponent(redirect)}` : ''
  return `/auth${query}${request?.invite ?? ''}`
}

/**
 * Signs in with the provider's answer. Resolves with the path to continue at, or with the reason for the
 * failure.
 */
async function signIn(
  fragment: string,
  request: AuthRequest | null,
): Promise<{ to: string } | { reason: string }> {
  const answer = readAnswer(fragment, request)
  if ('failure' in answer || !request)
    return { reason: messages.failures['failure' in answer ? answer.failure : 'foreign'] }
  const before = sync().session.lastSignOut()
  const result = await sync().signInSocially(answer)
  if (!result.ok) return { reason: result.message || messages.failures.unreachable }
  if (request.invite) return { to: `/auth/registration${request.invite}` }
  if (request.redirect !== null)
    return { to: returnPathFor(request.redirect, before, sync().session.current()) }
  // New users continue with onboarding.
  const onboarding = await sync()
    .call(endpoints.getOnboarding, {})
    .catch(() => null)
  return { to: onboarding?.status === 'not-started' ? '/onboarding' : returnPath(null) }
}
