import { useCapability } from '../../sync/react/use-sync.ts'
import { useTemplates } from '../../data/templates.ts'
import { STARTERS } from './starters.ts'
import { useWriteBlocker } from './use-write-blocker.ts'

const NONE: readonly never[] = []

/** The starter templates that the user may add now: in an organisation that has no templates yet. */
export function useStarters(): readonly (typeof STARTERS)[number][] {
  const { templates } = useTemplates()
  const hasTemplates = useCapability('templates')
  const blocker = useWriteBlocker()
  return hasTemplates && templates?.length === 0 && blocker === undefined ? STARTERS : NONE
}
