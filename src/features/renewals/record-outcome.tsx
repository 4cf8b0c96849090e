import { lazy, Suspense, useState, type ComponentProps } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { openRenewal } from '../../../contract/rules.ts'
import { useCapability, useOutboxRead } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { renewalMessages as messages } from './messages.ts'

const OutcomeDialog = lazy(async () => ({
  default: (await import('./outcome-dialog.tsx')).OutcomeDialog,
}))

type ButtonLook = Pick<ComponentProps<typeof Button>, 'variant' | 'className'>
export type OutcomeButton = ReturnType<typeof useRecordOutcome>['button']

/** A renewal whose outcome is asked for. Its account has the next date as soon as the outcome is saved. */
interface AskedRenewal {
  account: Account
  due: string
  isOpen?: true
}

/**
 * Asks for the outcome of renewals of these accounts. `button` is for one with a date; at a server that does not store
 * outcomes, and for a churned account, it is empty. The dialog is rendered outside of lists, which an account
 * leaves when its outcome is saved.
 */
export function useRecordOutcome(accounts: readonly Account[]) {
  const hasOutcomes = useCapability('renewals')
  const [asked, setAsked] = useState<AskedRenewal>()
  const button = (account: Account, { variant = 'secondary', className = '' }: ButtonLook = {}) => {
    const due = openRenewal(account)
    if (!hasOutcomes || due === null) return null
    return (
      <Button
        aria-label={messages.recordFor(account.name)}
        variant={variant}
        className={className}
        onClick={() => setAsked({ account, due })}
      >
        {messages.record}
      </Button>
    )
  }
  const isOutboxRead = useOutboxRead(asked !== undefined)
  const account = accounts.find(({ id }) => id === asked?.account.id) ?? asked?.account
  if (asked && account && isOutboxRead && !asked.isOpen)
    // Right after a start its outcome may wait in the outbox, which was not read yet at the press.
    setAsked(openRenewal(account) === asked.due ? { ...asked, isOpen: true } : undefined)
  const dialog = asked?.isOpen && account && (
    <Suspense>
      <OutcomeDialog account={account} due={asked.due} onClose={() => setAsked(undefined)} />
    </Suspense>
  )
  return { button, dialog }
}
