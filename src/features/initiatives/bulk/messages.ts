import type { Messages } from '../../../../contract/text/catalogue.ts'
import { formatCount } from '../../../ui/text/format.ts'

/** Texts about changing many initiatives at once. */
export const bulkInitiativeMessages = {
  bar: 'Selected initiatives',
  initiatives: (count: number) => formatCount(count, 'initiative'),
  nothingToChange: 'No selected initiative would change.',
} as const satisfies Messages
