import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of cells that can be edited. */
export const editableCellMessages = {
  none: '–',
  change: {
    owner_id: 'Change owner',
    end_date: 'Change end date',
    status: 'Change status',
    health: 'Change health',
    tier: 'Change tier',
  },
  /** Read in place of the dash. */
  missing: {
    owner_id: 'No owner',
    end_date: 'No end date',
    status: 'No status',
    health: 'Not rated',
    tier: 'No tier',
  },
} as const satisfies Messages
