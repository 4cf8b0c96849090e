import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react'
import { Link, Navigate, useLocation, useSearchParams, useNavigate } from 'react-router'
import { sync } from '../../sync/client.ts'
import {
  useCapability,
  useConnection,
  useSession,
  useSignedOutWork,
} from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useConfiguration } from './cached-config.ts'
import { linkToken } from './link-token.ts'
import { PasswordWarning } from './password-warning.tsx'
import { returnPathFor } from './return-path.ts'
import { sessionMessages as messages } from './messages.ts'

const NewPassword = lazy(async () => ({
  default: (await import('./new-password.tsx')).NewPassword,
}))
const ForgottenPassword = lazy(async () => ({
  default: (await import('./forgotten-password.tsx')).ForgottenPassword,
}))

const PendingWork = lazy(async () => ({
  default: (await import('./pending-work.tsx')).PendingWork,
}))
const SocialButtons = lazy(async () => ({
  default: (await import('./social/social-sign-in.tsx')).SocialButtons,
}))
const SocialReturn = lazy(async () => ({
  default: (await import('./social/social-sign-in.tsx')).SocialReturn,
}))

/**
 * `/auth`; with `?forgotten` or an e-mailed link, setting a new password; and the return from a provider.
 */
export function Component() {
  const [params] = useSearchParams()
  const isForgotten = useCapability('recovery', true) && params.has('forgotten')
  const { hash } = useLocation()
  // Kept in state, because the token is removed from the URL.
  const [answer, setAnswer] = useState('')
  const [failed, setFailed] = useState<string>()
  const token = linkToken(hash, 'password')
  if (hash !== answer && /[#&]state=/.test(hash)) {
    setAnswer(hash)
    setFailed(undefined)
  }
  if (answer && failed === undefined)
    return (
      <Suspense>
        <SocialReturn key={answer} answer={answer} onFailed={setFailed} />
      </Suspense>
    )
  if (token === null && !isForgotten) return <SignIn failed={failed} />
  return <Suspense>{token ? <NewPassword token={token} /> : <ForgottenPassword />}</Suspense>
}

const lastSignOut = () => sync().session.lastSignOut()

function SignIn({ failed }: { failed: string | undefined }) {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const hasRecovery = useCapability('recovery', true)
  const [params] = useSearchParams()
  const invited = linkToken(hash, 'invite') !== null
  const confirmsEmail = linkToken(hash, 'email') !== null
  const offline = useConnection() === 'offline'
  const { count, forced, others } = useSignedOutWork()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [failure, setFailure] = useState(failed)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { registration: registrationMode = 'open' } = useConfiguration()
  // Passes the invitation on.
  const registration = `/auth/registration${hash}`
  const session = useSession()
  // The sign-out before this screen; it is deleted by a sign-in, also by one in another tab.
  const [before, setBefore] = useState(lastSignOut)
  if (session === null && before !== lastSignOut()) setBefore(lastSignOut())
  const next = () =>
    confirmsEmail
      ? `/settings/profile${hash}`
      : invited
        ? registration
        : returnPathFor(params.get('redirect'), before, sync().session.current())

  async function signIn(event: SubmitEvent) {
    event.preventDefault()
    if (busy) return
    setTried(true)
    setFailure(undefined)
    if (!email.trim() || !password) {
      form.current?.querySelector<HTMLInputElement>(`input[value='']`)?.focus()
      return
    }
    setBusy(true)
    try {
      const result = await sync().signIn(email.trim(), password)
      if (result.ok) {
        await navigate(next(), { replace: true })
        return
      }
      setFailure(
        result.reason === 'limited'
          ? messages.limited(result.retryAfterMs)
          : result.reason !== 'refused' && !navigator.onLine
            ? messages.offline
            : messages[result.reason],
      )
    } catch {
      // `boot-script.js` puts a storage without it in the place of a blocked one.
      setFailure('setItem' in localStorage ? messages.failed : messages.blocked)
    }
    setBusy(false)
  }

  // Signed in before, or in another tab meanwhile.
  if (session && !busy) return <Navigate to={next()} replace />
  return (
    <>
      <PageHeading title={messages.title} />
      <p className="mt-1 text-ink-muted">{messages.lead}</p>
      {(forced || count + others > 0) && (
        <Suspense>
          <PendingWork {...{ count, forced, others }} />
        </Suspense>
      )}
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void signIn(event)}
        className="mt-7 flex flex-col gap-5"
      >
        <PasswordWarning />
        {confirmsEmail && <Notice>{messages.confirmEmail}</Notice>}
        {failure ? (
          <Notice tone="danger">{failure}</Notice>
        ) : (
          offline && <Notice tone="offline">{messages.offline}</Notice>
        )}
        <TextField
          label={messages.email}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={tried && !email.trim() ? messages.emailMissing : undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={messages.password}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={tried && !password ? messages.passwordMissing : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={busy} className="min-h-11">
          {messages.submit}
        </Button>
        <p className="flex flex-wrap justify-between gap-x-6 text-sm">
          {hasRecovery && (
            <Link to="?forgotten" className={LINK_CLASS}>
              {messages.forgotten}
            </Link>
          )}
          {(registrationMode === 'open' || (invited && registrationMode !== 'closed')) && (
            <Link to={registration} className={LINK_CLASS}>
              {messages.register}
            </Link>
          )}
        </p>
      </form>
      <Suspense>
        <SocialButtons passkeys />
      </Suspense>
    </>
  )
}

const LINK_CLASS =
  'inline-flex min-h-8 items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11'
