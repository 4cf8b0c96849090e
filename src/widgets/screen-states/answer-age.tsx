import { useConnection } from '../../sync/react/use-sync.ts'
import { screenStateMessages as messages } from './messages.ts'

/**
 * Says how old the stored answer of a read is, unless online, where it has just been read. `at`: when the
 * server gave it, in epoch milliseconds; 0 where that is not known.
 */
export function AnswerAge({ at }: { at: number }) {
  const connection = useConnection()
  if (connection === 'online' || at === 0) return null
  return <p className="mt-0.5 text-sm text-ink-faint">{messages.asOf(connection, at)}</p>
}
