import { useState } from 'react'
import { validateForm } from '../../../../contract/errors.ts'
import { endpoints } from '../../../../contract/endpoints.ts'
import { PasswordChange, type User } from '../../../../contract/schemas/people.ts'
import { CallError, sync } from '../../../sync/client.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { MailNotice, mailToast } from '../../session/mail-notice.tsx'
import { PasswordWarning } from '../../session/password-warning.tsx'
import { useLostAnswer } from '../../session/registration/use-lost-answer.ts'
import { Setting, SettingForm, useBusy, useOfflineReason } from './security-section.tsx'
import { securityMessages as messages } from './security-messages.ts'

const EMPTY = { current_password: '', password: '', password_confirmation: '' }
type Field = keyof typeof EMPTY
const LABELS: Record<Field, string> = {
  current_password: messages.currentPassword,
  password: messages.newPassword,
  password_confirmation: messages.repeatPassword,
}

/** Changing the password, with the present one or with a mailed link. */
export function Password({ user, onChanged }: { user: User; onChanged: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Setting
      title={messages.password}
      text={messages.passwordText}
      action={
        !isOpen && (
          <Button aria-label={messages.changePassword} onClick={() => setOpen(true)}>
            {messages.change}
          </Button>
        )
      }
    >
      {isOpen && <PasswordForm email={user.email} onChanged={onChanged} onClose={close} />}
    </Setting>
  )
}

interface PasswordFormProps {
  email: string
  onChanged: () => void
  onClose: () => void
}

function PasswordForm({ email, onChanged, onClose }: PasswordFormProps) {
  const [fields, setFields] = useState(EMPTY)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [failure, setFailure] = useState<string>()
  const [busy, run] = useBusy()
  const [sending, runSending] = useBusy()
  const offline = useOfflineReason()
  const mayBeDone = useLostAnswer()

  async function save() {
    setFailure(undefined)
    const checked = validateForm(PasswordChange, fields)
    setErrors(checked.ok ? {} : checked.errors)
    if (!checked.ok) return
    // An account that was made with Google has no password yet.
    const { current_password, ...fresh } = fields
    const body = current_password === '' ? fresh : fields
    try {
      await sync().call(endpoints.changePassword, { body })
      toast(messages.passwordChanged)
      onChanged()
      onClose()
    } catch (problem) {
      const isDoubtful = mayBeDone(problem)
      if (problem instanceof CallError && Object.keys(problem.errors).length > 0)
        return setErrors({
          ...problem.errors,
          ...(isDoubtful &&
            problem.errors.current_password && { current_password: [messages.passwordMayBeNew] }),
        })
      setFailure(errorMessage(problem))
    }
  }

  const sendLink = () =>
    runSending(async () => {
      try {
        await sync().call(endpoints.forgotPassword, { body: { email } })
        toast(mailToast(messages.forgottenSent(email)))
      } catch (problem) {
        toast(errorMessage(problem))
      }
    })

  const field = (name: Field) => ({
    label: LABELS[name],
    type: 'password',
    value: fields[name],
    error: errors[name]?.[0],
    onChange: (event: { target: { value: string } }) =>
      setFields({ ...fields, [name]: event.target.value }),
  })

  return (
    <SettingForm
      action={messages.changePassword}
      busy={busy}
      errors={errors}
      failure={failure}
      onSubmit={() => run(save)}
      onCancel={onClose}
    >
      <PasswordWarning />
      {/* Tells password managers which account this is. */}
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <TextField {...field('current_password')} autoComplete="current-password" />
      <Button
        variant="quiet"
        className="-my-2 -ms-3.5 self-start"
        busy={sending}
        unavailable={offline}
        onClick={sendLink}
      >
        {messages.forgotten}
      </Button>
      <MailNotice />
      <TextField
        {...field('password')}
        hint={messages.newPasswordHint}
        autoComplete="new-password"
      />
      <TextField {...field('password_confirmation')} autoComplete="new-password" />
    </SettingForm>
  )
}
