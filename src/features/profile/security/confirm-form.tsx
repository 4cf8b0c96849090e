import { useState, type ReactNode } from 'react'
import { REAUTHENTICATION_REQUIRED } from '../../../../contract/values.ts'
import { endpoints } from '../../../../contract/endpoints.ts'
import { CallError, sync } from '../../../sync/client.ts'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { PasskeyError } from '../../session/passkeys/passkey-error.ts'
import { PasswordAgain } from './password-again.tsx'
import { SettingForm, useBusy } from './security-section.tsx'

interface ConfirmFormProps {
  /** What is about to happen. */
  children: ReactNode
  action: string
  /** It takes something away for good, as deletions in dialogs do. */
  isDangerous?: boolean
  /** Rejects with a CallError. */
  work: () => Promise<unknown>
  onDone: () => void
  onCancel: () => void
}

/** Confirms a change, and asks for the password where the server wants a fresh sign-in. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { children, action, isDangerous = false, work, onDone, onCancel } = props
  const [password, setPassword] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [failure, setFailure] = useState<string>()
  const [busy, run] = useBusy()

  async function confirm() {
    setFailure(undefined)
    setErrors({})
    try {
      if (password !== undefined)
        await sync().call(endpoints.reauthenticate, { body: { current_password: password } })
      await work()
      onDone()
    } catch (problem) {
      if (problem instanceof CallError && problem.code === REAUTHENTICATION_REQUIRED)
        return setPassword('')
      if (problem instanceof CallError && problem.errors.current_password)
        return setErrors(problem.errors)
      setFailure(problem instanceof PasskeyError ? problem.message : errorMessage(problem))
    }
  }

  return (
    <SettingForm
      action={action}
      variant={isDangerous ? 'danger' : 'primary'}
      busy={busy}
      errors={errors}
      failure={failure}
      onSubmit={() => run(confirm)}
      onCancel={onCancel}
    >
      <div className="flex flex-col gap-3 text-sm text-pretty">{children}</div>
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
