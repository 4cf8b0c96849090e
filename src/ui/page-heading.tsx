import { useEffect, useRef, type ReactNode } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { sentence } from '../../contract/text/sentence.ts'

interface PageHeadingProps {
  /** The title of the browser tab; the product's name is appended. */
  title: string
  /** The visible heading, if it differs from the title. */
  children?: ReactNode
  className?: string
}

/**
 * The heading of a screen. After a link navigation the tab title changes first, then the heading takes
 * the focus, so that it is announced. Not on the first load, and not when going back: there the focus
 * returns to where it was.
 */
export function PageHeading(props: PageHeadingProps) {
  // On a phone a title of one line stays one line, also with buttons beside it.
  const { title, children = title, className = 'text-2xl max-sm:text-xl' } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const reached = useNavigationType() !== NavigationType.Pop
  const { key } = useLocation()
  /** The history entry by which the screen was reached last. */
  const entry = useRef<string>(undefined)

  useEffect(() => {
    document.title = sentence`${title} · Cairn`
  }, [title])
  // Once for an entry: a list that was kept behind a record is shown again with the same one.
  useEffect(() => {
    if (!reached || entry.current === key) return
    // A form of a record has the address of the record, and may have been left far below.
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
    // When the screen appears, and not at each change of its address.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  // Also when the screen changes its address: a preview, a search.
  useEffect(() => {
    entry.current = key
  }, [key])

  return (
    <h1 ref={heading} tabIndex={-1} dir="auto" className={className}>
      {children}
    </h1>
  )
}
