import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { usePaneRoom } from '../platform/use-desktop.ts'

/**
 * Leads to the page of the record that a link opens beside its list (`?open=<id>`), where the window has no
 * room for both. `path` is the address of the list. A window that becomes narrower later leads nowhere.
 */
export function OpenedRecord({ path }: { path: string }) {
  const hasRoom = usePaneRoom()
  const [isLeading] = useState(!hasRoom)
  const id = useSearchParams()[0].get('open')
  const navigate = useNavigate()
  useEffect(() => {
    if (isLeading && id) void navigate(`${path}/${encodeURIComponent(id)}`, { replace: true })
  }, [isLeading, id, path, navigate])
  return null
}
