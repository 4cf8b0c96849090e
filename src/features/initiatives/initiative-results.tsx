import { useCallback, useDeferredValue, useMemo, type ComponentProps } from 'react'
import { useSearchParams } from 'react-router'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'
import { usePreview } from '../../ui/list/use-preview.ts'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import type { PlanChoice } from './initiative-dialog.tsx'
import { InitiativeFilters } from './initiative-filters.tsx'
import { InitiativeList } from './initiative-list.tsx'
import { InitiativeTable, type RowContext } from './initiative-table.tsx'
import { InitiativePane } from './initiative-view.tsx'
import { readSelection, selectInitiatives } from './view.ts'
import { initiativeMessages as messages } from './messages.ts'

interface InitiativeResultsProps {
  initiatives: readonly InitiativeWork[]
  plans: readonly PlanChoice[]
  context: RowContext
  /** What is shown of an initiative beside the table; undefined if there is no such initiative. */
  viewOf: (id: string) => Omit<ComponentProps<typeof InitiativePane>, 'onClose'> | undefined
}

/** Search, filters, and the initiatives that match. */
export function InitiativeResults({ initiatives, plans, context, viewOf }: InitiativeResultsProps) {
  const [params, setParams] = useSearchParams()
  const set = (change: Readonly<Record<string, string>>) => {
    const now = paramsInUrl()
    for (const [name, value] of Object.entries(change))
      if (value) now.set(name, value)
      else now.delete(name)
    setParams(now, { replace: true })
  }
  const [search, type] = useUrlText(params.get('search') ?? '', (text) => set({ search: text }))
  const selection = useMemo(() => ({ ...readSelection(params), search }), [params, search])
  // Deferred, so that typing does not wait for the rows.
  const chosen = useDeferredValue(selection)
  const hasTable = useTableRoom()
  const preview = usePreview()
  const used = useMemo(() => {
    const ids = new Set(initiatives.map(({ initiative }) => initiative.success_plan_id))
    return plans.filter(({ id }) => ids.has(id))
  }, [initiatives, plans])
  const shown = useMemo(
    () => selectInitiatives(initiatives, chosen, context),
    [initiatives, chosen, context],
  )
  const { sort, reversed } = selection
  const view = preview?.id === undefined ? undefined : viewOf(preview.id)
  const show = preview?.show
  const close = useCallback(() => show?.(undefined), [show])
  return (
    <>
      <InitiativeFilters
        selection={selection}
        plans={used}
        shown={shown.length}
        onSearch={type}
        onChange={set}
      />
      <FilteredList shown={shown.length} all={initiatives.length} messages={messages}>
        {hasTable ? (
          <div className={view ? 'grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-x-5' : ''}>
            <InitiativeTable
              initiatives={shown}
              context={context}
              selection={selection}
              onSort={(key) => set({ sort: key === sort && !reversed ? `-${key}` : key })}
              preview={preview}
            />
            {view && <InitiativePane key={view.work.initiative.id} {...view} onClose={close} />}
          </div>
        ) : (
          <InitiativeList initiatives={shown} context={context} />
        )}
      </FilteredList>
    </>
  )
}
