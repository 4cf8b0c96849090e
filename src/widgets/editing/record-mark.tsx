import { NeedsYou, Quiet } from '../status/tags.tsx'
import type { RecordState } from '../../data/record-states.ts'
import { editingMessages as messages } from './messages.ts'

/** In a row: whether changes to the record are pending or need attention; nothing otherwise. */
export function RecordStateTag({ state }: { state: RecordState | undefined }) {
  if (!state) return null
  if (state.kind === 'attention') return <NeedsYou>{messages.attention}</NeedsYou>
  if (state.kind === 'blocked') return <Quiet>{messages.blocked(state.by)}</Quiet>
  return <Quiet>{messages.waiting}</Quiet>
}
