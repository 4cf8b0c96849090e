import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { usePaneRoom } from '../platform/use-desktop.ts'

/**
 * Leads to the page of the record that a link opens beside its list (`?open=<id>`), where the window has no
 * room for both. `path` is the address of the list. Mounted with the list: a window that becomes narrower later
 * leads nowhere.
 */
export function OpenedRecord({ path }: { path: string }) {
  const hasRoom = usePaneRoom()
  const id = useSearchParams()[0].get('open')
  const [first] = useState(hasRoom ? null : id)
  const navigate = useNavigate()
  useEffect(() => {
    // A kept list is shown again without it.
    if (first && first === id)
      void navigate(`${path}/${encodeURIComponent(first)}`, { replace: true })
  }, [first, id, path, navigate])
  return null
}
