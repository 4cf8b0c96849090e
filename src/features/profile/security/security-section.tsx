import { useEffect, useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import type { User } from '../../../../contract/schemas/people.ts'
import { useCapability, useConnection } from '../../../sync/react/use-sync.ts'
import { Button, type ButtonVariant } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { editingMessages } from '../../../widgets/editing/messages.ts'
import { EmailAddress } from './email-address.tsx'
import { ForgetDevice } from './forget-device.tsx'
import { LinkedSignIns } from './linked-sign-ins.tsx'
import { OwnAccount } from './own-account.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { SignIns } from './sign-ins.tsx'
import { securityMessages as messages } from './security-messages.ts'

/** Address, password, sign-ins and this device. Only the device's own setting needs no network. */
export function SecuritySection({ user }: { user: User }) {
  const id = useId()
  const [changes, setChanges] = useState(0)
  const hasEmail = useCapability('email-links')
  const hasPassword = useCapability('password')
  const hasPasskeys = useCapability('passkeys')
  const hasSignIns = useCapability('sign-ins')
  const hasLinked = useCapability('linked-sign-ins')
  const hasAccount = useCapability('account')
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="border-b border-line pb-2 text-lg">
        {messages.title}
      </h2>
      {hasEmail && <EmailAddress user={user} />}
      {hasPassword && <Password user={user} onChanged={() => setChanges(changes + 1)} />}
      {hasPasskeys && <Passkeys key={`passkeys ${user.email}`} user={user} />}
      {hasLinked && <LinkedSignIns key={`linked ${user.email}`} user_id={user.id} />}
      <ForgetDevice />
      {/* Both changes end other sign-ins. */}
      {hasSignIns && <SignIns key={`${changes} ${user.email}`} user_id={user.id} />}
      {hasAccount && <OwnAccount />}
    </section>
  )
}

interface SettingProps {
  title: string
  text: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** One setting: what it is, the button that changes it, and its form below. */
export function Setting({ title, text, action, children }: SettingProps) {
  return (
    <article tabIndex={-1} aria-label={title} className="border-b border-line py-4 outline-none">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="text-sm font-semibold">{title}</h3>
          <div className="text-sm text-pretty break-words text-ink-muted">{text}</div>
        </div>
        {action}
      </div>
      {children}
    </article>
  )
}

/** Why nothing here can be changed now; undefined online. */
export const useOfflineReason = (): string | undefined =>
  useConnection() === 'offline' ? messages.offline : undefined

interface SettingFormProps {
  children: ReactNode
  action: string
  variant?: ButtonVariant | undefined
  busy: boolean
  /** By field; the first one gets the focus. */
  errors: Record<string, string[]>
  failure: string | undefined
  onSubmit: () => void
  onCancel: () => void
}

/** The form of a setting. It stores no draft, because it holds a password. */
export function SettingForm(props: SettingFormProps) {
  const { children, action, variant = 'primary', busy, errors, failure, onSubmit, onCancel } = props
  const form = useRef<HTMLFormElement>(null)
  const unavailable = useOfflineReason()
  // The first field when the form opens, then the first one with an error.
  useEffect(() => {
    const selector = Object.keys(errors).length > 0 ? '[aria-invalid]' : 'input:not([hidden])'
    form.current?.querySelector<HTMLElement>(selector)?.focus()
  }, [errors])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!busy && unavailable === undefined) onSubmit()
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-4 flex max-w-md flex-col gap-5">
      {children}
      {failure !== undefined && <Notice tone="danger">{failure}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={variant} busy={busy} unavailable={unavailable}>
          {action}
        </Button>
        <Button
          variant="quiet"
          unavailable={busy ? editingMessages.inProgress : undefined}
          onClick={onCancel}
        >
          {editingMessages.cancel}
        </Button>
      </div>
    </form>
  )
}

/** Runs one call at a time. `busy` while it runs. */
export function useBusy(): [boolean, (work: () => Promise<void>) => void] {
  const [busy, setBusy] = useState(false)
  const run = (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    void work().finally(() => setBusy(false))
  }
  return [busy, run]
}
