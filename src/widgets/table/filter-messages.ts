import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the filters that several lists have. */
export const filterMessages = {
  status: 'Status',
  health: 'Health',
  owner: 'Owner',
  account: 'Account',
  end: 'End date',
  any: {
    status: 'Any status',
    health: 'Any health',
    owner: 'Any owner',
    account: 'Any account',
    end: 'Any end date',
  },
  open: 'Open',
  you: 'You',
  ends: {
    passed: 'Date has passed',
    '30': 'Within 30 days',
    '90': 'Within 90 days',
    none: 'No end date',
  },
} as const satisfies Messages
