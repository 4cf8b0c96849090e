import { useRef, useState, type SubmitEvent } from 'react'
import { useSearchParams, useNavigate } from 'react-router'
import { sync } from '../../sync/client.ts'
import { useConnection, useSealed } from '../../sync/react.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { OperationStateMark } from '../operations/operation-state.tsx'
import { returnPath } from './return-path.ts'
import { sessionWords as words } from './words.ts'

/** `/auth` */
export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const offline = useConnection() === 'offline'
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

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
    const before = sync().session.left()
    try {
      const result = await sync().signIn(email.trim(), password)
      if (result.ok) {
        // The way back is the way of whoever was here before.
        const same = !before || before.user_id === sync().session.current()?.user.id
        const back = same ? params.get('redirect') : null
        await navigate(returnPath(back), { replace: true })
        return
      }
      setFailure(
        result.reason === 'refused'
          ? words.refused
          : result.reason === 'limited'
            ? words.limited(result.after)
            : navigator.onLine
              ? words.unreachable
              : words.offline,
      )
    } catch {
      setFailure(words.failed)
    }
    setBusy(false)
  }

  return (
    <>
      <PageHeading title={words.title} />
      <p className="mt-1 text-ink-muted">{words.lead}</p>
      <Waiting />
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void signIn(event)}
        className="mt-7 flex flex-col gap-5"
      >
        {failure ? (
          <Notice tone="danger">{failure}</Notice>
        ) : (
          offline && <Notice tone="offline">{words.offline}</Notice>
        )}
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={tried && !email.trim() ? words.emailMissing : undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={words.password}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={tried && !password ? words.passwordMissing : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={busy} className="min-h-11">
          {words.submit}
        </Button>
      </form>
    </>
  )
}

/** Why one is here, and what of one's work waits on this device. */
function Waiting() {
  const { count, forced } = useSealed()
  if (count === 0 && !forced) return null
  return (
    <div className="mt-6">
      <Notice tone={forced ? 'warn' : 'offline'} {...(forced && { title: words.forcedTitle })}>
        {forced && <p>{words.forced}</p>}
        {count > 0 && (
          <p className="mt-1.5 flex flex-wrap items-center gap-2">
            {words.waits(count)} <OperationStateMark state="signed-out" />
          </p>
        )}
      </Notice>
    </div>
  )
}
