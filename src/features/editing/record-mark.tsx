import { NeedsYou, Quiet } from '../status/tags.tsx'
import type { RecordState } from './record-states.ts'
import { editingWords as words } from './words.ts'

/** In a row: that something of this record is on its way, or needs somebody; nothing when all is well. */
export function RecordMark({ state }: { state: RecordState | undefined }) {
  if (!state) return null
  if (state.kind === 'attention') return <NeedsYou>{words.attention}</NeedsYou>
  if (state.kind === 'held') return <Quiet>{words.heldBy[state.by] ?? words.held}</Quiet>
  return <Quiet>{words.waiting}</Quiet>
}
