import type { Messages } from '../../../../contract/text/catalogue.ts'
import { ENTER, withModifier } from '../../platform/keyboard.ts'
import { formatNumber } from '../../text/format.ts'

const selectedText = (selected: number, hidden: number) => {
  if (hidden === 0) return `${formatNumber(selected)} selected`
  const rest = hidden === selected ? 'none' : `${formatNumber(hidden)} not`
  return `${formatNumber(selected)} selected, ${rest} shown`
}

/** Texts about selecting rows of a list. */
export const selectionMessages = {
  selected: selectedText,
  announced: (selected: number, hidden: number) =>
    `${selectedText(selected, hidden)}. ${withModifier(ENTER)} goes to the actions.`,
  selectAll: (rows: number) => `Select all ${formatNumber(rows)}`,
  clear: 'Clear selection',
  cleared: 'Nothing selected',
} as const satisfies Messages
