// Runs the command of a key on the screen that is shown. Screens mark what a key presses: `data-key="c"` on what
// creates, `data-key="e"` on what edits, `data-key="z"` on an undo. The search is the search field, a row of a
// list is `data-row`, and its checkbox is in `data-select`.
import { sync } from '../../sync/client.ts'
import { shortcutLetter } from '../../ui/platform/keyboard.ts'
import { hasSingleKeys } from '../../ui/platform/single-keys.ts'
import { openPalette } from '../palette/open-palette.ts'
import { readKey, type KeyCommand } from './read-key.ts'

/** What a key needs of the app. */
interface KeyContext {
  user_id: string
  navigate: (to: string) => unknown
  showHelp: () => void
}

/** Where Ctrl+Z is left to the undo of the browser. */
const TEXT_FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
/** Where letters and arrows mean something else. */
const OWN_KEYS = `${TEXT_FIELDS}, [role=menu], [role=listbox], [role=slider], [role=tablist], [role=radiogroup]`
/** What covers the page; the keys would act behind it. */
const COVERING = 'dialog[open], [role$=dialog], :popover-open'
/** The address of a record: a page of its own, or shown beside its list. */
const RECORD = /^\/(success-plans|accounts)\/(?!new$)[^/?]+$|^\/initiatives\?(.*&)?open=/
/** The height that the header covers. */
const HEADER_PX = 56

let startedAt: number | undefined

/** Acts on a key that was pressed on the page, if it is a shortcut there. */
export function pressKey(event: KeyboardEvent, context: KeyContext): void {
  const { target } = event
  if (event.defaultPrevented || event.isComposing) return
  if (event.key === 'Shift' || !(target instanceof Element)) return
  if (event.ctrlKey || event.metaKey) {
    // A toast is above a dialog. Held, the key would go on to the next one.
    if (isUndo(event) && !target.closest(TEXT_FIELDS) && press(all('[data-key="z"]').at(-1)))
      event.preventDefault()
    return
  }
  if (target.closest(OWN_KEYS) || document.querySelector(COVERING)) return
  if (!hasSingleKeys(context.user_id)) return
  const read = readKey(event, startedAt)
  ;({ startedAt } = read)
  const { command } = read
  // A held key repeats only moves.
  if (command && ((event.repeat && command.kind !== 'move') || run(command, context)))
    event.preventDefault()
}

const isUndo = (event: KeyboardEvent) =>
  shortcutLetter(event) === 'z' && !event.shiftKey && !event.repeat

/** Returns whether the command was possible here. */
function run(command: KeyCommand, { navigate, showHelp }: KeyContext): boolean {
  switch (command.kind) {
    case 'go':
      if (command.to === '/templates' && !hasTemplates()) return false
      navigate(command.to)
      return true
    case 'help':
      showHelp()
      return true
    case 'search':
      return focus(shown('main input[type=search]')[0]) || (openPalette(), true)
    case 'create':
      return press(shown('main [data-key="c"]')[0]) || (navigate('/success-plans/new'), true)
    case 'edit':
      return edit(navigate)
    case 'select':
      return select(currentRow())
    default:
      return move(command.steps, command.isArrow)
  }
}

/** What matches in the app itself, not in the boot snapshot that is shown before it. */
const all = (selector: string) => [
  ...document.querySelectorAll<HTMLElement>(`${selector}:not([inert] *)`),
]
const shown = (selector: string) => all(selector).filter((element) => element.checkVisibility())

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
  if (!RECORD.test(path)) return false
  navigate(path + (path.includes('?') ? '&edit' : '?edit'))
  return true
}

/** Selects a row, or drops it. In a list whose rows are links a long press begins a selection, and so does the key. */
function select(row: HTMLElement | null | undefined): boolean {
  const checkbox = () => row?.querySelector<HTMLElement>('[data-key="x"]')
  if (press(checkbox())) return true
  const options = { bubbles: true, cancelable: true, pointerType: 'touch' }
  if (row?.dispatchEvent(new PointerEvent('contextmenu', options)) !== false) return false
  // In place of the link, which had the focus.
  requestAnimationFrame(() => focus(checkbox()))
  return true
}

const hasTemplates = () => sync().capabilities.get()?.split(',').includes('templates') === true

/**
 * Moves the focus to another row of the list, from outside to the first one in view. Arrows scroll the
 * page unless the focus is on a row.
 */
function move(steps: 1 | -1, isArrow: boolean): boolean {
  const rows = shown('main [data-row]').filter((row) => targetOf(row))
  const current = currentRow()
  if (!current) {
    const first = rows.find((row) => row.getBoundingClientRect().top >= HEADER_PX)
    return !isArrow && focus(targetOf(first))
  }
  const from = targetOf(current)
  if (document.activeElement !== from) return !isArrow && focus(from)
  // A list may do more than to move the focus.
  if (!isArrow) return pressArrow(from, steps)
  // At an end the page scrolls.
  return focus(targetOf(rows[rows.indexOf(current) + steps]))
}

/** Returns whether an arrow key on the element did something. */
const pressArrow = (element: Element | null, steps: 1 | -1): boolean =>
  element?.dispatchEvent(
    new KeyboardEvent('keydown', {
      key: steps === 1 ? 'ArrowDown' : 'ArrowUp',
      bubbles: true,
      cancelable: true,
    }),
  ) === false

/** What of a row takes the focus: its link, or the button that opens it. */
const targetOf = (row: HTMLElement | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>('th a[href]') ??
  row?.querySelector<HTMLElement>('a[href], button') ??
  null
