import { useSearchParams } from 'react-router'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { ListMenu as CommonMenu } from '../../widgets/table/list-menu.tsx'
import { readSelection, selectInitiatives, type InitiativeContext } from './view.ts'
import { initiativeListMessages as messages } from './messages.ts'

interface ListMenuProps {
  initiatives: readonly InitiativeWork[]
  context: InitiativeContext
  /** Shows checkboxes in the list of phones. */
  onSelecting: (isSelecting: boolean) => void
}

/** Export of the list, and the start of a selection. */
export function ListMenu({ initiatives, context, onSelecting }: ListMenuProps) {
  const [params] = useSearchParams()

  async function exportShown() {
    const shown = selectInitiatives(initiatives, readSelection(params), context)
    const { saveInitiatives } = await import('./initiatives-csv.ts')
    await saveInitiatives(shown, context)
  }

  return (
    <CommonMenu
      select={messages.select}
      onSelect={() => onSelecting(true)}
      onExport={exportShown}
    />
  )
}
