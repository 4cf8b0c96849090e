import type { Messages } from '../../../../contract/text/catalogue.ts'
import { formatCount } from '../../../ui/text/format.ts'

/** Texts of the menu of the plan list. */
export const listMenuMessages = {
  review: 'Review',
  more: 'More for this list',
  select: 'Select plans',
  exportShown: 'Export as CSV',
  nothingToExport: 'There are no plans yet.',
  exported: (plans: number) => `${formatCount(plans, 'plan')} exported`,
  import: 'Import plans',
} as const satisfies Messages
