import { lazy, Suspense } from 'react'
import { FilterBar } from '../../ui/list/filters/filter-bar.tsx'
import { ListFilters } from '../../ui/list/filters/list-filters.tsx'
import { useSearchKey } from '../keys/use-single-keys.ts'
import type { FilterOptions } from './filter-options.ts'
import { readOrder, type ListAddress } from './list-address.ts'
import { useSavedViews } from './saved-views.ts'
import type { ListName } from './view-lists.ts'
import { controlMessages as messages } from './control-messages.ts'

const SheetTools = lazy(async () => ({ default: (await import('./sheet-tools.tsx')).SheetTools }))
const TableTools = lazy(async () => ({ default: (await import('./table-tools.tsx')).TableTools }))

interface ListControlsProps {
  list: ListName
  address: ListAddress
  /** By the name of their parameter. */
  filters: Readonly<Record<string, { label: string; options: FilterOptions }>>
  /** Columns that the list is sorted by; the first is the default. */
  sorts: readonly [string, ...string[]]
  messages: {
    searchLabel: string
    /** Titles of all columns; the first stays in the table. */
    columns: Readonly<Record<string, string>>
    groups: Readonly<Record<string, string>>
    show: (shown: number) => string
  }
  /** Number of records that match. */
  shown: number
}

/** Search, filters, on a phone the order, groups and saved views; above a table also its columns. */
export function ListControls(props: ListControlsProps) {
  const { list, address, filters, sorts, messages: own, shown } = props
  const { params, search, onSearch, set } = address
  const { sort, reversed } = readOrder(params, sorts)
  const { columns } = own
  // Read with the list, so that they are on the device without a network.
  useSavedViews()
  const titleOf = (column: string) => columns[column] ?? column
  return (
    <FilterBar
      search={{ label: own.searchLabel, value: search, onChange: onSearch, keys: useSearchKey() }}
    >
      <ListFilters
        filters={[
          ...Object.entries(filters).map(([name, filter]) => ({
            name,
            ...filter,
            value: params.get(name) ?? '',
            onChange: (value: string) => set({ [name]: value }),
          })),
          {
            name: 'sort',
            label: messages.sort,
            value: reversed ? `-${sort}` : sort,
            options: [
              ...sorts.map((name) => [name, messages.sortedBy(titleOf(name))] as const),
              ...(reversed ? [[`-${sort}`, messages.sortedReversed(titleOf(sort))] as const] : []),
            ],
            onChange: (value) => set({ sort: value }),
            isOrder: true,
          },
        ]}
        onClear={() => set(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])))}
        done={own.show(shown)}
        sheetTools={
          <SheetTools
            list={list}
            search={params.toString()}
            group={params.get('group') ?? ''}
            groups={own.groups}
            onChange={set}
          />
        }
        tools={
          // As wide as the buttons, so that the others keep their place.
          <Suspense fallback={<div className="w-46" />}>
            <TableTools
              list={list}
              search={params.toString()}
              group={params.get('group') ?? ''}
              hidden={params.get('hidden') ?? ''}
              groups={own.groups}
              columns={Object.fromEntries(Object.entries(columns).slice(1))}
              onChange={set}
            />
          </Suspense>
        }
      />
    </FilterBar>
  )
}
