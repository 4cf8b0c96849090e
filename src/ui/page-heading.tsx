import { useEffect, useRef, type ReactNode } from 'react'
import { NavigationType, useNavigationType } from 'react-router'

interface PageHeadingProps {
  /** What the tab is called; the product's name is added. */
  title: string
  /** What the page shows as its heading, where that is not the title itself. */
  children?: ReactNode
  className?: string
}

/**
 * The heading of a screen. When the screen is reached by a link the tab's title changes first, then
 * the heading takes the focus, so that it is read out. Not on the first load, and not when going
 * back: there the focus returns to where it was.
 */
export function PageHeading({ title, children = title, className = 'text-2xl' }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const reached = useNavigationType() !== NavigationType.Pop
  const takesFocus = useRef(reached)

  useEffect(() => {
    document.title = `${title} · Cairn`
  }, [title])
  useEffect(() => {
    if (takesFocus.current) heading.current?.focus({ preventScroll: true })
  }, [])

  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}
