import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { endpoints } from '../../../../contract/endpoints.ts'
import { sync } from '../../../sync/client.ts'
import { useCapability, useConnection } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { whenBack } from '../../../ui/platform/load-page.ts'
import { useWhenShown } from '../../../ui/platform/use-when-shown.ts'
import { useConfiguration } from '../cached-config.ts'
import { linkToken } from '../link-token.ts'
import { returnPath, returnPathFor } from '../return-path.ts'
import {
  consumeAuthRequest,
  dropExpiredAuthRequest,
  goToGoogle,
  readAnswer,
  requestIssuer,
  type AuthRequest,
} from './auth-request.ts'
import { socialMessages as messages } from './messages.ts'
import { beginningFailure, signInFailure } from './sign-in-failure.ts'

/**
 * Sign-in with other providers and, with `passkeys`, with a passkey, below a form. Loads nothing from providers before
 * a button is pressed.
 */
export function SocialButtons({ passkeys = false }: { passkeys?: boolean }) {
  const configuration = useConfiguration()
  const { googleAuthorizationUrl, oidcName } = configuration
  const { hash } = useLocation()
  const [params] = useSearchParams()
  const unavailable = useConnection() === 'offline' ? messages.offline : undefined
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const whenShown = useWhenShown()
  const hasPasskeys = useCapability('passkeys', true) && passkeys && 'PublicKeyCredential' in window
  useEffect(dropExpiredAuthRequest, [])
  const intent = () => ({
    redirect: params.get('redirect'),
    invite: linkToken(hash, 'invite') === null ? '' : hash,
  })

  function goGoogle() {
    if (!goToGoogle(configuration, intent())) setFailure(messages.badAddress(messages.google))
  }

  async function goOther(name: string) {
    setFailure(undefined)
    setBusy(true)
    try {
      const leave = await requestIssuer(intent())
      // Busy until the other page is there: another press would replace the request that it answers.
      if (whenShown(leave)) return whenBack(() => setBusy(false))
      setFailure(messages.badAddress(name))
    } catch (problem) {
      setFailure(beginningFailure(problem))
    }
    return setBusy(false)
  }

  async function signIn() {
    setFailure(undefined)
    setBusy(true)
    try {
      const { signInWithPasskey } = await import('../passkeys/use-passkey.ts')
      const result = await signInWithPasskey()
      // The screen leaves when it sees the session.
      if (!result.ok) setFailure(signInFailure(result))
    } catch (problem) {
      setFailure(beginningFailure(problem))
    }
    setBusy(false)
  }

  if (!hasPasskeys && !googleAuthorizationUrl && !oidcName) return null
  return (
    <div className="mt-5 flex flex-col gap-5">
      <p className="flex items-center gap-3 text-sm text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {messages.or}
      </p>
      {failure !== undefined && <Notice tone="danger">{failure}</Notice>}
      {hasPasskeys && (
        <Button
          className="min-h-11 w-full"
          busy={busy}
          unavailable={unavailable}
          onClick={() => void signIn()}
        >
          {messages.passkey}
        </Button>
      )}
      {googleAuthorizationUrl && (
        <Button className="min-h-11 w-full" unavailable={unavailable} onClick={goGoogle}>
          <GoogleMark />
          {messages.action(messages.google)}
        </Button>
      )}
      {oidcName && (
        <Button
          className="min-h-11 w-full"
          busy={busy}
          unavailable={unavailable}
          onClick={() => void goOther(oidcName)}
        >
          {messages.action(oidcName)}
        </Button>
      )}
    </div>
  )
}

/** Google's logo. */
function GoogleMark() {
  return (
    <svg aria-hidden viewBox="0 0 24 24" fill="none" strokeWidth="4.4">
      <path d="M18.4 6.2A8.6 8.6 0 0 0 4.7 7.5" className="stroke-[#ea4335]" />
      <path d="M4.7 7.5a8.6 8.6 0 0 0 0 9" className="stroke-[#fbbc05]" />
      <path d="M4.7 16.5a8.6 8.6 0 0 0 12.8 2.1" className="stroke-[#34a853]" />
      <path d="M12 12h8.6a8.6 8.6 0 0 1-3.1 6.6" className="stroke-[#4285f4]" />
    </svg>
  )
}

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
  const result = await sync().signInWith({ grant_type: 'social', ...answer })
  if (!result.ok) return { reason: signInFailure(result) }
  if (request.invite) return { to: `/auth/registration${request.invite}` }
  if (request.redirect !== null)
    return { to: returnPathFor(request.redirect, before, sync().session.current()) }
  // New users continue with onboarding.
  const onboarding = await sync()
    .call(endpoints.getOnboarding, {})
    .catch(() => null)
  return { to: onboarding?.status === 'not-started' ? '/onboarding' : returnPath(null) }
}
