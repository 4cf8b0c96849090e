import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../button.tsx'

interface ShowMoreProps {
  /** Shows more rows of the list that is before the button. */
  onShow: () => void
  className?: string
  children: ReactNode
}

/** A button that shows more of a list. The first new row gets the focus, as the button may disappear. */
export function ShowMore({ onShow, className = '', children }: ShowMoreProps) {
  return (
    <Button
      variant="quiet"
      className={`-ms-3.5 ${className}`}
      onClick={({ currentTarget }) => {
        const rows = currentTarget.previousElementSibling?.children
        const shown = rows?.length ?? 0
        flushSync(onShow)
        rows?.[shown]?.querySelector<HTMLElement>('a[href], button, input')?.focus()
      }}
    >
      {children}
    </Button>
  )
}
