import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { paramsInUrl, useUrlText } from '../../ui/form/use-url-text.ts'

/** The record beside the list, and which screen it is: no part of what the list shows. */
const NOT_SHOWN = ['open', 'edit', 'new', 'renewals']

/** What the address says about a list, and what changes it. */
export interface ListAddress {
  /** Filters, order, groups and columns. The same object as long as these are the same. */
  params: URLSearchParams
  /** What is searched for; the address follows what is typed. */
  search: string
  onSearch: (text: string) => void
  /** Changes some parameters; removes those that become empty. */
  set: (change: Readonly<Record<string, string | undefined>>) => void
  /** Sorts by one of the columns `sorts`, of which the first is the default; reversed if that is the order already. */
  sortBy: (column: string, sorts: Sorts) => void
}

type Sorts<Sort extends string = string> = readonly [Sort, ...Sort[]]

/** Reads filters, order, groups and columns of a list in the address, and changes them. */
export function useListAddress(): ListAddress {
  const [inUrl, setParams] = useSearchParams()
  const set: ListAddress['set'] = (change) => {
    const now = paramsInUrl()
    for (const [name, value] of Object.entries(change))
      if (value) now.set(name, value)
      else now.delete(name)
    setParams(now, { replace: true })
  }
  const sortBy: ListAddress['sortBy'] = (column, sorts) => {
    const { sort, reversed } = readOrder(paramsInUrl(), sorts)
    set({ sort: column === sort && !reversed ? `-${column}` : column })
  }
  const [search, onSearch] = useUrlText(inUrl.get('search') ?? '', (text) => set({ search: text }))
  const own = new URLSearchParams(inUrl)
  NOT_SHOWN.forEach((name) => own.delete(name))
  own.sort()
  const written = own.toString()
  const params = useMemo(() => new URLSearchParams(written), [written])
  return { params, search, onSearch, set, sortBy }
}

/** The order in the address: one of `sorts`, `reversed` with `-`. Otherwise the first one. */
export function readOrder<Sort extends string>(
  params: URLSearchParams,
  sorts: Sorts<Sort>,
): { sort: Sort; reversed: boolean } {
  const order = params.get('sort') ?? ''
  const known = sorts.find((sort) => sort === order.replace(/^-/, ''))
  return { sort: known ?? sorts[0], reversed: known !== undefined && order.startsWith('-') }
}
