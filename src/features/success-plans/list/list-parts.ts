// The plans that match, in two forms, each in a chunk of its own: a device needs one of them for its
// first paint.
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { hasTableRoom } from '../../../ui/platform/use-desktop.ts'
import { lazyPart } from '../../../ui/platform/lazy-part.tsx'
import type { SelectableRows } from '../../../ui/list/bulk/bulk-selection.tsx'
import type { Selection, View } from './view.ts'

/** What both forms show. */
export interface ResultsProps {
  /** The plans of the selection, sorted. */
  plans: readonly SuccessPlan[]
  all: readonly SuccessPlan[]
  /** Number of plans of each view. */
  counts: Partial<Record<View, number>>
  selection: Selection
  /** Changes parts of the selection. Stable. */
  onChange: (change: Partial<Selection>) => void
  /** The day in the organisation's time zone. */
  today: string
  /** Epoch milliseconds. */
  now: number
  /** What the rows offer; undefined until it is loaded. */
  actions: SelectableRows | undefined
}

/** As a table, where there is room. */
export const PLAN_TABLE = lazyPart(
  async () => (await import('./table/table-results.tsx')).TableResults,
)

/** As a list of links. */
export const PLAN_LIST = lazyPart(async () => (await import('./list-results.tsx')).ListResults)

/** What is done with selected plans, and edits a cell. A list of phones loads it when plans are selected. */
export const BULK_ACTIONS = lazyPart(
  async () => (await import('../bulk/bulk-actions.tsx')).BulkActions,
)
export const INLINE_EDITOR = lazyPart(
  async () => (await import('../bulk/inline-editor.tsx')).InlineEditor,
)

/** Loads both where the rows offer them. */
export const fetchRowActions = async (): Promise<void> => {
  if (hasTableRoom()) await Promise.all([BULK_ACTIONS.fetch(), INLINE_EDITOR.fetch()])
}

/** Loads the form that the window has room for. */
export const fetchPlanList = (): Promise<unknown> =>
  (hasTableRoom() ? PLAN_TABLE : PLAN_LIST).fetch()
