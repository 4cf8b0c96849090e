// Ids of records whose server makes them: a record that was created here has another id once its server
// has answered.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import type { ResourceName } from '../../contract/resources.ts'
import { useAliases } from '../sync/react/use-sync.ts'

/**
 * The name of a record by its resource and id, of people by their user id; undefined where it is not known. For
 * `former_members` it is empty for everyone who has left, even where only `organisation_users` has the name.
 */
export type NameOf = (of: ResourceName, id: string | null) => string | undefined

/** Returns a function from an id that a screen keeps to the one that its record has now. */
export function useCurrentIds(): (id: string) => string {
  const aliases = useAliases()
  return useCallback((id) => aliases.get(id)?.id ?? id, [aliases])
}

/**
 * The id that the record in the path has now, and a key that stays the same when the id changes, so that
 * no part of the screen is mounted again. Replaces the id in the address.
 */
export function useRecordId(inPath: string): { id: string; key: string } {
  const id = useCurrentIds()(inPath)
  const [shown, setShown] = useState({ id, key: inPath })
  const key = shown.id === id || shown.key === inPath ? shown.key : inPath
  if (shown.id !== id) setShown({ id, key })
  const { pathname, search, hash } = useLocation()
  useEffect(() => {
    if (id === inPath) return
    // Not a navigation: focus, scroll position and history stay as they are.
    const path = pathname.replace(inPath, encodeURIComponent(id))
    history.replaceState(history.state, '', path + search + hash)
  }, [id, inPath, pathname, search, hash])
  return { id, key }
}

/** Returns a function from a record's id to a key that stays the same when the server's id replaces its own. */
export function useRecordKeys(resource: ResourceName): (id: string) => string {
  const aliases = useAliases()
  return useMemo(() => {
    const keys = new Map<string, string>()
    for (const [local, { table, id }] of aliases) if (table === resource) keys.set(id, local)
    return (id) => keys.get(id) ?? id
  }, [aliases, resource])
}
