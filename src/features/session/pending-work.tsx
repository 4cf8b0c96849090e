import { sync } from '../../sync/client.ts'
import { Notice } from '../../ui/display/notice.tsx'
import { OperationStateMark } from '../../widgets/operations/operation-state.tsx'
import { waitingMessages as messages } from './waiting-messages.ts'

interface PendingWorkProps {
  /** Pending operations of the user who signed out last. */
  count: number
  forced: boolean
  /** Number of other users with pending operations. */
  others: number
}

/** Why the user was signed out, and which work is still pending on this device. */
export function PendingWork({ count, forced, others }: PendingWorkProps) {
  const silentDays = sync().session.lastSignOut()?.silent_days
  return (
    <div className="mt-6">
      <Notice tone={forced ? 'warn' : 'offline'} {...(forced && { title: messages.forcedTitle })}>
        {forced && (
          <p>{silentDays === undefined ? messages.forced : messages.silent(silentDays)}</p>
        )}
        {count > 0 && (
          <p className="mt-1.5 flex flex-wrap items-center gap-2 first:mt-0">
            {messages.waitingForYou(count)} <OperationStateMark state="signed-out" />
          </p>
        )}
        {others > 0 && <p className="mt-1.5 first:mt-0">{messages.others(others, count > 0)}</p>}
      </Notice>
    </div>
  )
}
