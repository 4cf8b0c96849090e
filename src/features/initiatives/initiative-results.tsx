import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
  type ComponentProps,
} from 'react'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { useCurrentIds, useRecordKeys } from '../../data/record-id.ts'
import { BesideList } from '../../ui/list/beside-list.tsx'
import type { SelectableRows, Selecting } from '../../ui/list/bulk/bulk-selection.tsx'
import { usePreview } from '../../ui/list/use-preview.ts'
import { useTableRoom } from '../../ui/platform/use-desktop.ts'
import { compareText } from '../../ui/text/format.ts'
import { FilteredList } from '../../widgets/screen-states/filtered-list.tsx'
import { useListAddress } from '../../widgets/table/list-address.ts'
import { useTableView } from '../../widgets/table/use-table-view.ts'
import { initiativeGroupings } from './groupings.ts'
import type { PlanChoice } from './initiative-dialog.tsx'
import { InitiativeFilters } from './initiative-filters.tsx'
import { InitiativeList } from './initiative-list.tsx'
import { InitiativeTable, type RowContext } from './initiative-table.tsx'
import { InitiativePane } from './initiative-view.tsx'
import { readSelection, selectInitiatives, SORTS } from './view.ts'
import { initiativeMessages as messages } from './messages.ts'

const BulkInitiatives = lazy(async () => ({
  default: (await import('./bulk/bulk-initiatives.tsx')).BulkInitiatives,
}))

interface InitiativeResultsProps extends Selecting {
  initiatives: readonly InitiativeWork[]
  plans: readonly PlanChoice[]
  context: RowContext
  /** What is shown of an initiative beside the table; undefined if there is no such initiative. */
  viewOf: (id: string) => Omit<ComponentProps<typeof InitiativePane>, 'onClose'> | undefined
}

/** Search, filters, and the initiatives that match. */
export function InitiativeResults(props: InitiativeResultsProps) {
  const { initiatives, plans, context, viewOf, ...selecting } = props
  const [rows, setRows] = useState<SelectableRows>()
  const address = useListAddress()
  const { params, search } = address
  const selection = useMemo(() => ({ ...readSelection(params), search }), [params, search])
  // Deferred, so that typing does not wait for the rows.
  const chosen = useDeferredValue(selection)
  const hasTable = useTableRoom()
  const preview = usePreview(useCurrentIds())
  const used = useMemo(() => {
    const ids = new Set(initiatives.map(({ initiative }) => initiative.success_plan_id))
    return plans.filter(({ id }) => ids.has(id)).map(({ id, title }) => [id, title] as const)
  }, [initiatives, plans])
  const accounts = useMemo(() => {
    const ids = new Set(initiatives.map(({ initiative }) => context.accountOf(initiative)))
    return [...ids]
      .flatMap((id) => {
        const name = id === null ? undefined : context.accountNameOf(id)
        return id === null || name === undefined ? [] : [[id, name] as const]
      })
      .toSorted(([, a], [, b]) => compareText(a, b))
  }, [initiatives, context])
  const found = useMemo(
    () => selectInitiatives(initiatives, chosen, context),
    [initiatives, chosen, context],
  )
  const groupings = useMemo(() => initiativeGroupings(context), [context])
  const { items, groups, isShown } = useTableView(params, found, groupings)
  const keyOf = useRecordKeys('initiatives')
  const view = preview?.id === undefined ? undefined : viewOf(preview.id)
  const show = preview?.show
  const close = useCallback(() => show?.(undefined), [show])
  return (
    <>
      <Suspense>
        <BulkInitiatives
          shown={items}
          all={initiatives}
          context={context}
          onRows={setRows}
          {...selecting}
        />
      </Suspense>
      <InitiativeFilters address={address} plans={used} accounts={accounts} shown={found.length} />
      <FilteredList shown={found.length} all={initiatives.length} messages={messages}>
        {hasTable ? (
          <BesideList
            pane={
              view && (
                <InitiativePane key={keyOf(view.work.initiative.id)} {...view} onClose={close} />
              )
            }
          >
            <InitiativeTable
              initiatives={items}
              groups={groups}
              isShown={isShown}
              context={context}
              selection={selection}
              onSort={(key) => address.sortBy(key, SORTS)}
              rows={rows}
              preview={preview}
            />
          </BesideList>
        ) : (
          <InitiativeList
            initiatives={items}
            groups={groups}
            context={context}
            rows={rows?.checkboxes}
          />
        )}
      </FilteredList>
    </>
  )
}
