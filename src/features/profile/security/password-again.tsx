import { useEffect, useRef } from 'react'
import { TextField } from '../../../ui/form/field.tsx'
import { PasswordWarning } from '../../session/password-warning.tsx'
import { securityMessages as messages } from './security-messages.ts'

interface PasswordAgainProps {
  value: string
  error: string | undefined
  onChange: (password: string) => void
}

/** Asks for the password where the server wants a fresh sign-in: with the focus, because it appears after a press. */
export function PasswordAgain({ value, error, onChange }: PasswordAgainProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <>
      <PasswordWarning />
      <TextField
        ref={field}
        label={messages.currentPassword}
        hint={messages.reauthenticate}
        type="password"
        autoComplete="current-password"
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}
