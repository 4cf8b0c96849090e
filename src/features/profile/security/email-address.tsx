import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { validateForm } from '../../../../contract/errors.ts'
import { REAUTHENTICATION_REQUIRED } from '../../../../contract/values.ts'
import { endpoints } from '../../../../contract/endpoints.ts'
import { LINKS } from '../../../../contract/links.ts'
import { Profile, type User } from '../../../../contract/schemas/people.ts'
import { CallError, sync } from '../../../sync/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { MailNotice, mailToast } from '../../session/mail-notice.tsx'
import { PasswordAgain } from './password-again.tsx'
import { Setting, SettingForm, useBusy, useOfflineReason } from './security-section.tsx'
import { securityMessages as messages } from './security-messages.ts'

/** The user's address: confirming it, and changing it. */
export function EmailAddress({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const [busy, run] = useBusy()
  const offline = useOfflineReason()
  const failure = useFollowedLink(user.id)
  const open = user.pending_email ?? (user.email_verified ? null : user.email)

  const resend = () =>
    run(async () => {
      try {
        await sync().call(endpoints.sendEmailLink, {})
        toast(mailToast(messages.linkSent(open ?? user.email)))
      } catch (problem) {
        toast(errorMessage(problem))
      }
    })

  return (
    <Setting
      title={messages.email}
      text={messages.emailText(user.email)}
      action={
        !isOpen && (
          <Button aria-label={messages.changeEmail} onClick={() => setOpen(true)}>
            {messages.change}
          </Button>
        )
      }
    >
      {failure !== undefined && (
        <div className="mt-3">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
      {open !== null && (
        <div className="mt-3">
          <Notice
            tone="warn"
            action={
              <Button busy={busy} unavailable={offline} onClick={resend}>
                {user.pending_email === null ? messages.sendToPresent : messages.sendAgain}
              </Button>
            }
          >
            {user.pending_email === null
              ? messages.unverified
              : messages.pending(user.pending_email, user.email)}
          </Notice>
        </div>
      )}
      {(isOpen || open !== null) && <MailNotice />}
      {isOpen && <EmailForm user_id={user.id} onDone={() => setOpen(false)} />}
    </Setting>
  )
}

/** Follows `#email_token=…` once. Returns why that failed. */
function useFollowedLink(user_id: string): string | undefined {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string>()
  const followed = useRef('')
  const token = new URLSearchParams(hash.slice(1)).get(LINKS.email.name)

  useEffect(() => {
    if (token === null || followed.current === token) return
    followed.current = token
    // Removes the token from the URL, which the browser would store in its history.
    void navigate({ hash: '' }, { replace: true })
    sync()
      .call(endpoints.confirmEmail, { body: { token } })
      .then(async (user) => {
        await sync().update(user_id, { user })
        toast(messages.confirmed(user.email))
      })
      .catch((problem: unknown) =>
        setFailure(
          problem instanceof CallError && problem.status === 404
            ? messages.notConfirmed
            : errorMessage(problem),
        ),
      )
  }, [token, user_id, navigate])
  return failure
}

function EmailForm({ user_id, onDone }: { user_id: string; onDone: () => void }) {
  const [email, setEmail] = useState('')
  /** Asked for when the sign-in was too long ago. */
  const [password, setPassword] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [failure, setFailure] = useState<string>()
  const [busy, run] = useBusy()

  async function save() {
    setFailure(undefined)
    const checked = validateForm(Profile, { email })
    setErrors(checked.ok ? {} : checked.errors)
    if (!checked.ok) return
    try {
      if (password !== undefined)
        await sync().call(endpoints.reauthenticate, { body: { current_password: password } })
      const user = await sync().call(endpoints.updateUserinfo, { body: { email } })
      await sync().update(user_id, { user })
      toast(mailToast(messages.linkSent(user.pending_email ?? email)))
      onDone()
    } catch (problem) {
      const needsPassword =
        problem instanceof CallError && problem.code === REAUTHENTICATION_REQUIRED
      if (needsPassword) return setPassword('')
      if (problem instanceof CallError && Object.keys(problem.errors).length > 0)
        return setErrors(problem.errors)
      setFailure(errorMessage(problem))
    }
  }

  return (
    <SettingForm
      action={messages.sendLink}
      busy={busy}
      errors={errors}
      failure={failure}
      onSubmit={() => run(save)}
      onCancel={onDone}
    >
      <TextField
        label={messages.newEmail}
        hint={messages.newEmailHint}
        type="email"
        autoComplete="email"
        spellCheck={false}
        value={email}
        error={errors.email?.[0]}
        onChange={(event) => setEmail(event.target.value)}
      />
      {password !== undefined && (
        <PasswordAgain
          value={password}
          error={errors.current_password?.[0]}
          onChange={setPassword}
        />
      )}
    </SettingForm>
  )
}
