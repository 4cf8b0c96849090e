import { lazy, Suspense, useState } from 'react'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { renewalMessages as messages } from './messages.ts'

const OutcomeDialog = lazy(async () => ({
  default: (await import('./outcome-dialog.tsx')).OutcomeDialog,
}))

/**
 * A button that asks for the outcome of the account's renewal; nothing without a date, or at a server that
 * does not store outcomes.
 */
export function RecordOutcome({ account }: { account: Account }) {
  const hasOutcomes = useCapability('renewals')
  /** The date that is up: the account has the next one as soon as the outcome is saved. */
  const [due, setDue] = useState<string>()
  const { renewal_date, status } = account
  if (!hasOutcomes || (due === undefined && (renewal_date === null || status === 'churned')))
    return null
  return (
    <>
      <Button
        aria-label={messages.recordFor(account.name)}
        onClick={() => setDue(renewal_date ?? undefined)}
      >
        {messages.record}
      </Button>
      {due !== undefined && (
        <Suspense>
          <OutcomeDialog account={account} due={due} onClose={() => setDue(undefined)} />
        </Suspense>
      )}
    </>
  )
}
