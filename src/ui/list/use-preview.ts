import { useCallback, useDeferredValue, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { paramsInUrl, useUrlText } from '../form/use-url-text.ts'
import type { Preview } from './row-keys.ts'
import { usePaneRoom } from '../platform/use-desktop.ts'

const PARAM = 'open'

/**
 * Which record is shown beside the table: `?open=<id>`. Undefined where there is no room for it. `idNow` returns the id
 * that the record of an earlier one has now.
 */
export function usePreview(idNow: (id: string) => string): Preview | undefined {
  const [params, setParams] = useSearchParams()
  const hasRoom = usePaneRoom()
  // Written with a delay: a held arrow key goes through many rows.
  const [inUrl, show] = useUrlText(params.get(PARAM) ?? '', (open) => {
    const now = paramsInUrl()
    if (open) now.set(PARAM, open)
    else now.delete(PARAM)
    // The form of the record before is not that of the next one.
    now.delete('edit')
    setParams(now, { replace: true })
  })
  const id = idNow(inUrl)
  return useMemo(
    () =>
      hasRoom
        ? { id: id === '' ? undefined : id, show: (row: string | undefined) => show(row ?? '') }
        : undefined,
    [hasRoom, id, show],
  )
}

/** `usePreview`, with the record that is shown and a function that closes it. */
export function useOpened<T extends { id: string }>(
  records: readonly T[],
  idNow: (id: string) => string,
) {
  const preview = usePreview(idNow)
  // Rendered after the row that was moved to.
  const id = useDeferredValue(preview?.id)
  // The records can be rendered before and after their ids.
  const opened = useMemo(
    () => records.find((record) => idNow(record.id) === id),
    [records, idNow, id],
  )
  const show = preview?.show
  const close = useCallback(() => show?.(undefined), [show])
  return { preview, opened, close }
}
