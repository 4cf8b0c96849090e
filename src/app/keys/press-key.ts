// Runs the command of a single key on the screen that is shown. Screens mark what a key presses:
// `data-key="/"` on the search, `c` on what creates, `e` on what edits, `x` on what selects a row; a row
// of a list is `data-row`.
import { hasSingleKeys } from '../../ui/platform/single-keys.ts'
import { openPalette } from '../palette/open-palette.ts'
import { readKey, type KeyCommand } from './read-key.ts'

/** What a key needs of the app. */
export interface KeyContext {
  user_id: string
  navigate: (to: string) => unknown
  showHelp: () => void
}

/** Where letters and arrows mean something else. */
const OWN_KEYS =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=slider], [role=tablist], [role=radiogroup]'
/** What covers the page; the keys would act behind it. */
const COVERING = 'dialog[open], [role$=dialog], :popover-open'
const SHOWN = ':not([inert] *)'
const PLAIN_RECORD = /^\/(success-plans|accounts)\/(?!new$)[^/?]+$/
/** The height that the header covers. */
const HEADER_PX = 56

let startedAt: number | undefined

/** Acts on a key that was pressed on the page, if it is a shortcut there. */
export function pressKey(event: KeyboardEvent, context: KeyContext): void {
  const { target } = event
  if (event.defaultPrevented || event.isComposing) return
  if (event.key === 'Shift' || !(target instanceof Element)) return
  if (target.closest(OWN_KEYS) || document.querySelector(COVERING)) return
  if (!hasSingleKeys(context.user_id)) return
  const read = readKey(event, startedAt)
  ;({ startedAt } = read)
  if (read.command && run(read.command, context)) event.preventDefault()
}

/** Returns whether the command was possible here. */
function run(command: KeyCommand, { navigate, showHelp }: KeyContext): boolean {
  switch (command.kind) {
    case 'go':
      navigate(command.to)
      return true
    case 'help':
      showHelp()
      return true
    case 'search':
      return focus(marked('/')) || (openPalette(), true)
    case 'create':
      return press(marked('c')) || (navigate('/success-plans/new'), true)
    case 'select':
      return press(currentRow()?.querySelector<HTMLElement>('[data-key="x"]'))
    case 'edit':
      return edit(navigate)
    case 'move':
      return move(command.steps, command.isArrow)
  }
}

/** The control on the screen that a key stands for. */
const marked = (key: string) =>
  all(`main [data-key="${key}"]`).find((control) => control.checkVisibility())

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector + SHOWN)]

/** The row of a list that the focus is in. */
const currentRow = () => document.activeElement?.closest<HTMLElement>('[data-row]')

function focus(control: HTMLElement | null | undefined): boolean {
  control?.focus()
  if (control instanceof HTMLInputElement) control.select()
  return control != null
}

function press(control: HTMLElement | null | undefined): boolean {
  control?.click()
  return control != null
}

/** Edits the row that the focus is in, else what the screen is about. */
function edit(navigate: KeyContext['navigate']): boolean {
  const row = currentRow()
  if (!row) return press(all('main [data-key="e"]:not([data-row] *)')[0])
  if (press(row.querySelector<HTMLElement>('[data-key="e"]'))) return true
  const path = row.querySelector('a')?.getAttribute('href') ?? ''
  if (!PLAIN_RECORD.test(path)) return false
  navigate(`${path}?edit`)
  return true
}

/**
 * Moves the focus to another row of the list, from outside to the first one in view. Arrows scroll the
 * page unless the focus is on a row.
 */
function move(steps: 1 | -1, isArrow: boolean): boolean {
  const rows = all('main [data-row]').filter((row) => row.checkVisibility())
  const current = currentRow()
  if (!current) {
    if (isArrow) return false
    return focus(targetOf(rows.find((row) => row.getBoundingClientRect().top >= HEADER_PX)))
  }
  if (isArrow && document.activeElement !== targetOf(current)) return false
  const next = rows[rows.indexOf(current) + steps]
  // At an end the focus stays, and the page does not scroll away from it.
  return next === undefined || focus(targetOf(next))
}

/** What of a row takes the focus: its link, or the button that opens it. */
const targetOf = (row: HTMLElement | undefined) =>
  row?.matches('[tabindex]') ? row : row?.querySelector<HTMLElement>('a[href], button')
