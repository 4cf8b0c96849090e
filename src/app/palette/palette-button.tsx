import { Search } from 'lucide-react'
import { openPalette } from './open-palette.ts'
import { appMessages as messages } from '../shell/messages.ts'

/** Opens the command palette where there is no keyboard, and tells of the key where there is one. */
export function PaletteButton() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title={`${messages.palette} (${messages.paletteKey})`}
      onClick={openPalette}
      className="inline-flex size-9 shrink-0 items-center justify-center gap-2 rounded-md text-ink-muted hover:bg-sunken hover:text-ink coarse:size-11 xl:w-auto xl:border xl:border-line xl:bg-raised xl:ps-2.5 xl:pe-2"
    >
      <Search aria-hidden className="size-4.5 xl:size-4" />
      <span className="sr-only">{messages.palette}</span>
      <kbd className="hidden font-sans text-xs text-ink-faint xl:inline coarse:hidden">
        {messages.paletteKey}
      </kbd>
    </button>
  )
}
