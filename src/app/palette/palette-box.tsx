import { Search, type LucideIcon } from 'lucide-react'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { selectedItem, itemAtOffset } from './commands.ts'
import { PaletteOption } from './palette-option.tsx'
import { paletteMessages as messages } from './messages.ts'

/** One item of the palette. */
export interface Item {
  key: string
  label: string
  icon: LucideIcon
  /** Distinguishes items with the same name. */
  detail?: string | undefined
  /** Shown at the end of the row: status, and where the result came from. */
  aside?: ReactNode
  /** The keys that do the same outside the palette. */
  keys?: string | undefined
  run: () => void
}

/** Items under one heading. */
export interface Section {
  key: keyof typeof messages.groups
  items: readonly Item[]
}

interface PaletteBoxProps {
  text: string
  onText: (text: string) => void
  sections: readonly Section[]
  /** Shown when nothing matches; read out with the number of results. */
  state: string
  onClose: () => void
}

/**
 * The palette itself: a native modal dialog with a text field and a list that the arrow keys move
 * through. The selection stays on the same item when results arrive.
 */
export function PaletteBox({ text, onText, sections, state, onClose }: PaletteBoxProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  const composing = useRef(false)
  /** The option under the pointer. */
  const pointed = useRef<string>(undefined)
  const [chosen, setChosen] = useState<string>()
  const visibleSections = sections.filter(({ items }) => items.length > 0)
  const items = visibleSections.flatMap((section) => section.items)
  const selected = selectedItem(items, chosen)
  const optionId = (key: string) => `${id}-${key}`
  const active = selected && optionId(selected.key)

  // Closing the dialog before it unmounts returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    // A dialog that opened while this code loaded makes the page inert, and the palette with it.
    if (document.querySelector('[role$=dialog]'))
      element?.dispatchEvent(new Event('cancel', { cancelable: true }))
    else element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => {
    // The list stays where it is under a pointer: moved between press and release, it would lose the click.
    if (chosen !== undefined && active && chosen !== pointed.current)
      document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [chosen, active])

  function handleKey(event: KeyboardEvent) {
    // Keys of an input method editor are not meant for the list.
    if (event.nativeEvent.isComposing || composing.current) return
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (steps !== undefined) {
      event.preventDefault()
      pointed.current = undefined
      setChosen(itemAtOffset(items, selected, steps)?.key)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (!event.repeat) selected?.run()
    }
  }

  return (
    // The backdrop belongs to the dialog, so a click on it is a click on the dialog; Escape does the
    // same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      aria-label={messages.title}
      onCancel={(event) => {
        event.preventDefault()
        if (!composing.current) onClose()
      }}
      onPointerDown={(event) => (pressed.current = event.target === event.currentTarget)}
      onClick={(event) => pressed.current && event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[calc(0.75rem+var(--safe-top))] max-h-none w-[calc(100%-1.5rem)] max-w-[680px] animate-rise overflow-hidden rounded-xl bg-raised text-ink shadow-sheet backdrop:animate-fade backdrop:bg-scrim sm:mt-[12vh] forced-colors:border"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4.5 shrink-0 text-ink-faint" />
        <input
          role="combobox"
          dir="auto"
          aria-label={messages.field}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={active}
          aria-autocomplete="list"
          placeholder={messages.placeholder}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={text}
          onChange={(event) => {
            // Before React renders: afterwards this would force a layout.
            list.current?.scrollTo(0, 0)
            setChosen(undefined)
            onText(event.target.value)
          }}
          onKeyDown={handleKey}
          onCompositionStart={() => (composing.current = true)}
          onCompositionEnd={() => (composing.current = false)}
          className="h-14 min-w-0 grow bg-transparent text-base outline-none"
        />
      </div>
      <output className="sr-only">
        {items.length > 0 ? messages.count(items.length) : ''} {state}
      </output>
      <div
        ref={list}
        id={`${id}-list`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        tabIndex={-1}
        aria-label={messages.list}
        // Keeps the focus in the text field when the list is pressed.
        onMouseDown={(event) => event.preventDefault()}
        className="max-h-[min(24rem,calc(100dvh-9rem))] overflow-y-auto overscroll-contain p-2 outline-none empty:hidden"
      >
        {visibleSections.map((section) => (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          <div key={section.key} role="group" aria-labelledby={`${id}-${section.key}`}>
            <p
              id={`${id}-${section.key}`}
              role="presentation"
              className="px-2.5 pt-2.5 pb-1 text-xs font-semibold text-ink-faint"
            >
              {messages.groups[section.key]}
            </p>
            {section.items.map((item) => (
              <PaletteOption
                key={item.key}
                id={optionId(item.key)}
                item={item}
                selected={item.key === selected?.key}
                onSelect={() => {
                  pointed.current = item.key
                  setChosen(item.key)
                }}
              />
            ))}
          </div>
        ))}
      </div>
      {state !== '' && (
        <p className="px-4.5 pt-1 pb-4 text-sm text-ink-muted" aria-hidden>
          {state}
        </p>
      )}
      <footer
        aria-hidden
        className="flex gap-x-5 border-t border-line px-4 py-2 text-xs text-ink-faint coarse:hidden"
      >
        <Hint keys="↑ ↓">{messages.hints.move}</Hint>
        <Hint keys="↵">{messages.hints.run}</Hint>
        <Hint keys="Esc">{messages.hints.close}</Hint>
      </footer>
    </dialog>
  )
}

function Hint({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <span>
      <kbd className="me-1 font-sans font-semibold text-ink-muted">{keys}</kbd> {children}
    </span>
  )
}
