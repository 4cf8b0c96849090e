// The state shown by the pill in the header: none while everything is synced, and never a flicker.
import { useEffect, useState } from 'react'
import type { ConnectionState } from '../../sync/core/observable.ts'
import {
  useAllOperations,
  useConnection,
  useReadReport,
  useSendingIds,
} from '../../sync/react/use-sync.ts'
import { syncMessages } from './messages.ts'

/** What the pill shows: its kind sets the look; `quiet` hides it. */
export type SyncState =
  | { kind: 'quiet' }
  | {
      kind: 'offline' | 'attention' | 'sending' | 'pending' | 'all-sent' | 'server'
      text: string
      /** For a narrow header, where that is shorter. */
      short?: string
    }

const QUIET: SyncState = { kind: 'quiet' }
const { short } = syncMessages
const ALL_SENT: SyncState = { kind: 'all-sent', text: syncMessages.allSent, short: short.allSent }
/** States shorter than this are not shown. */
const SHOW_AFTER_MS = 2_000
const ALL_SENT_MS = 5_000

/**
 * The current state. Operations that need attention come first, then the reason why nothing is sent, last
 * that not everything could be read.
 */
export function syncState(
  connection: ConnectionState,
  operations: readonly { state: string }[],
  sending: number,
  isAllRead = true,
): SyncState {
  const pendingCount = operations.filter(({ state }) => state !== 'acknowledged').length
  const rejected = operations.filter(({ state }) => state === 'attention').length
  if (rejected > 0)
    return { kind: 'attention', text: syncMessages.attention, short: short.attention }
  if (connection !== 'online') {
    const kind = connection === 'offline' ? 'offline' : 'server'
    const text = kind === 'offline' ? syncMessages.offline : syncMessages.notUnderstood
    if (pendingCount === 0) return { kind, text, short: short[kind] }
    return {
      kind,
      text: `${text} · ${syncMessages.waiting(pendingCount)}`,
      short: `${short[kind]} · ${pendingCount}`,
    }
  }
  if (sending > 0) return { kind: 'sending', text: syncMessages.sending }
  if (pendingCount > 0) return { kind: 'pending', text: syncMessages.waiting(pendingCount) }
  return isAllRead ? QUIET : { kind: 'server', text: syncMessages.unread }
}

/**
 * The state to show: delayed by two seconds, and "All changes sent" once the queue is empty after
 * something was sent. Discarded operations do not count as sent.
 */
export function useSyncState(): SyncState {
  const operations = useAllOperations()
  const { unread, refused } = useReadReport()
  const isAllRead = unread.length + Object.keys(refused).length === 0
  const state = syncState(useConnection(), operations, useSendingIds().size, isAllRead)
  const [phase, setPhase] = useState<'quiet' | 'speaking' | 'all-sent'>('quiet')
  const [sent, setSent] = useState(false)
  const active = state.kind !== 'quiet'

  if (phase === 'speaking') {
    const arrived = operations.some(({ state }) => state === 'acknowledged')
    if (arrived && !sent) setSent(true)
    if (!active) {
      setPhase(arrived || sent ? 'all-sent' : 'quiet')
      setSent(false)
    }
  }

  useEffect(() => {
    if (phase === 'speaking' || (phase === 'quiet' && !active)) return undefined
    const timer = active
      ? setTimeout(() => setPhase('speaking'), SHOW_AFTER_MS)
      : setTimeout(() => setPhase('quiet'), ALL_SENT_MS)
    return () => clearTimeout(timer)
  }, [active, phase])

  if (phase === 'speaking') return state
  return phase === 'all-sent' ? ALL_SENT : QUIET
}
