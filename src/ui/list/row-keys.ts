import { useEffect, useEffectEvent, type RefObject } from 'react'

/** The record that is shown beside a table. */
export interface Preview {
  /** The item whose record is shown; undefined if none is. */
  id: string | undefined
  show: (id: string | undefined) => void
}

/** What is pressed for itself, and not for the row around it. */
const CONTROLS = 'a, button, input, select, textarea, label, [popover], dialog'

/**
 * What a click on a row does, and the keys of a row's link: the arrows move to the next row, Space and
 * Escape open and close the preview.
 */
export function useRowKeys(table: RefObject<HTMLTableElement | null>, preview?: Preview): void {
  const press = useEffectEvent((event: MouseEvent) => {
    const { target, ctrlKey, metaKey, shiftKey } = event
    if (!(target instanceof Element) || target.closest(CONTROLS)) return
    // Selecting text in a row is no click on it.
    if (getSelection()?.isCollapsed === false) return
    const row = rowOf(target)
    const link = linkIn(row)
    if (preview && link) {
      link.focus({ preventScroll: true })
      preview.show(row?.dataset['row'])
      return
    }
    // With the keys that open another tab.
    const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
    link?.dispatchEvent(new MouseEvent('click', click))
  })

  const type = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey, repeat } = event
    const row = rowOf(target)
    if (!row || target !== linkIn(row) || altKey || ctrlKey || metaKey || shiftKey) return
    const id = row.dataset['row']
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const next = nextRow(row, key === 'ArrowDown')
      // At the end of the list the page scrolls.
      if (!next) return
      linkIn(next)?.focus()
      if (preview?.id !== undefined) preview.show(next.dataset['row'])
    } else if (key === ' ' && preview) {
      if (!repeat) preview.show(preview.id === id ? undefined : id)
    } else if (key === 'Escape' && preview?.id !== undefined) preview.show(undefined)
    else return
    event.preventDefault()
  })

  useEffect(() => {
    const element = table.current
    const [pressed, typed] = [
      (event: MouseEvent) => press(event),
      (event: KeyboardEvent) => type(event),
    ]
    element?.addEventListener('click', pressed)
    element?.addEventListener('keydown', typed)
    return () => {
      element?.removeEventListener('click', pressed)
      element?.removeEventListener('keydown', typed)
    }
  }, [table])
}

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null

const linkIn = (row: Element | null) => row?.querySelector('a')

/** The next row with a link, below or above. */
function nextRow(row: HTMLElement, isBelow: boolean): HTMLElement | undefined {
  const step = (from: Element) => (isBelow ? from.nextElementSibling : from.previousElementSibling)
  let next = step(row)
  while (next && !linkIn(next)) next = step(next)
  return next instanceof HTMLElement ? next : undefined
}
