import { useEffect, useState, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { useScrollPadding } from '../../../ui/platform/scroll-padding.ts'
import { useDesktop } from '../../../ui/platform/use-desktop.ts'
import { updateMessages as messages } from '../plan-messages.ts'

/** What the header with the tabs that stick below it, and the navigation of a phone, cover of the page. */
const COVERED = '-100px 0px -56px'

const TYPED_INTO = 'textarea, input:not([type=checkbox])'

interface PostBarProps {
  /** Where updates are written; nothing is rendered there while another tab is shown. */
  composer: RefObject<HTMLElement | null>
  /** The row of tabs; null where all parts are side by side. */
  tabs: HTMLElement | null
  /** The composer is on the page, though its tab may be hidden. */
  isOnPage: boolean
}

/**
 * *Post update* wherever the composer is out of sight: above the navigation of a phone, not while something is typed
 * because the keyboard leaves little room; else at the end of the tabs, where it moves nothing when it comes and goes.
 */
export function PostBar({ composer, tabs, isOnPage }: PostBarProps) {
  const isPhone = !useDesktop()
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    const element = composer.current
    if (!isOnPage || !element) return undefined
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.at(-1)?.isIntersecting === true),
      { rootMargin: COVERED },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [composer, isOnPage])
  const isTyping = useTyping()
  const isOutOfSight = !(isOnPage && isSeen)
  const isShown = isPhone && !isTyping && isOutOfSight
  useScrollPadding(isShown)
  const post = (className: string) => (
    <Link
      to={{ search: '', hash: '#write' }}
      replace
      className={`${buttonClass('primary')} ${className}`}
    >
      {messages.post}
    </Link>
  )
  if (!isPhone && isOutOfSight && tabs)
    return createPortal(post('-mb-px ms-auto self-center'), tabs)
  if (!isShown) return null
  return (
    <div
      style={{ bottom: 'calc(3.5rem + var(--safe-bottom))' }}
      className="sticky z-10 -mx-4 mt-6 border-t border-line bg-surface px-4 py-2 short:static print:hidden"
    >
      {post('min-h-11 w-full')}
    </div>
  )
}

/** Whether a field has the focus that is typed into. */
function useTyping(): boolean {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    const note = () => setTyping(document.activeElement?.matches(TYPED_INTO) === true)
    document.addEventListener('focusin', note)
    document.addEventListener('focusout', note)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('focusout', note)
    }
  }, [])
  return isTyping
}
