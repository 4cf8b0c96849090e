import { Activity, useCallback, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { UNSAFE_LocationContext as LocationContext, useOutlet } from 'react-router'

const LISTS = new Set(['/success-plans', '/accounts'])

/**
 * The current screen. A list stays rendered while one of its records is open, so that going back renders
 * nothing again. Meanwhile it keeps the address that it was shown at, its effects have ended, as if it had
 * been left, and its elements are not in the document.
 */
export function KeptOutlet() {
  const screen = useOutlet()
  const address = useContext(LocationContext)
  const { pathname } = address.location
  const [list, setList] = useState<{ screen: typeof screen; address: typeof address }>()
  const isList = LISTS.has(pathname)
  // On the way back to the same entry all of it is as it was, and no link of the list renders again.
  if (isList && list?.address.location.key !== address.location.key) setList({ screen, address })
  const isBehind = list !== undefined && pathname.startsWith(`${list.address.location.pathname}/`)
  if (list && !isList && !isBehind) setList(undefined)
  const [holder] = useState(createHolder)
  const show = useCallback((place: HTMLElement | null) => place?.append(holder), [holder])
  return (
    <>
      {/* Before the list, whose layout effects measure it. */}
      {isList && <div ref={show} className="contents" />}
      {list &&
        createPortal(
          <Activity mode={isList ? 'visible' : 'hidden'}>
            <LocationContext value={list.address}>{list.screen}</LocationContext>
          </Activity>,
          holder,
        )}
      {!isList && screen}
    </>
  )
}

function createHolder(): HTMLElement {
  const holder = document.createElement('div')
  holder.className = 'contents'
  return holder
}
