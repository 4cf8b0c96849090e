import { useEffect, useState, type RefObject } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { useScrollPadding } from '../../../ui/platform/scroll-padding.ts'
import { mediaHook } from '../../../ui/platform/use-desktop.ts'
import { updateMessages as messages } from '../plan-messages.ts'

/** Whether the plan has no tab *About*, as that is beside the updates (`detail-screen.tsx`). */
const useAside = mediaHook('(min-width: 64rem)')

/** The height of the header and of the navigation of a phone, which cover the page. */
const COVERED_PX = 56

const TYPED_INTO = 'textarea, input:not([type=checkbox])'

interface PostBarProps {
  /** Where updates are written; nothing is rendered there while another tab is shown. */
  composer: RefObject<HTMLElement | null>
  /** The composer's tab is shown. */
  isBeside: boolean
}

/**
 * *Post update* at the bottom of a phone or tablet, wherever the composer is out of sight. Not while something
 * is typed: the keyboard leaves little room.
 */
export function PostBar({ composer, isBeside }: PostBarProps) {
  const hasAside = useAside()
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    const element = composer.current
    if (!isBeside || !element) return undefined
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.at(-1)?.isIntersecting === true),
      { rootMargin: `-${COVERED_PX}px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [composer, isBeside])
  const isTyping = useTyping()
  const isShown = !hasAside && !isTyping && !(isBeside && isSeen)
  useScrollPadding(isShown)
  if (!isShown) return null
  return (
    <div
      // Above the navigation, which a tablet has in the header.
      className="sticky bottom-[calc(3.5rem+var(--safe-bottom))] z-10 -mx-4 mt-6 border-t border-line bg-surface px-4 py-2 sm:-mx-6 sm:px-6 md:bottom-0 md:flex md:justify-end md:pb-[calc(0.5rem+var(--safe-bottom))] short:static print:hidden"
    >
      <Link
        to={{ search: '', hash: '#write' }}
        replace
        className={`${buttonClass('primary')} min-h-11 w-full md:w-auto`}
      >
        {messages.post}
      </Link>
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
