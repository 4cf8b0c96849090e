import { useConnection } from '../../sync/react/use-sync.ts'
import { RefreshButton } from './refresh-button.tsx'
import { screenStateMessages as messages } from './messages.ts'

interface AnswerAgeProps {
  /** `dataUpdatedAt`: when the server gave the answer, in epoch milliseconds; 0 where that is not known. */
  query: { dataUpdatedAt: number; isError: boolean; refetch: () => Promise<{ isSuccess: boolean }> }
}

/** As DataAge, for the stored answer of a read that is not pulled. */
export function AnswerAge({ query: { dataUpdatedAt: at, isError, refetch } }: AnswerAgeProps) {
  const connection = useConnection()
  return (
    <p className="mt-0.5 min-h-6 text-sm text-ink-faint">
      {at > 0 &&
        (connection !== 'online'
          ? messages.asOf(connection, at)
          : isError
            ? messages.notUpToDate
            : messages.upToDate(at))}
      <RefreshButton read={async () => (await refetch()).isSuccess} />
    </p>
  )
}
