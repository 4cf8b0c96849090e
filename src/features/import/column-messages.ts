// Column titles of CSV imports: the title that the app exports and shows, and accepted alternatives.
import type { Messages } from '../../../contract/text/catalogue.ts'

export const accountColumns = {
  name: { title: 'Name', also: ['Account', 'Account name', 'Company', 'Customer', 'Organisation'] },
  website: { title: 'Website', also: ['URL', 'Domain', 'Web'] },
  industry: { title: 'Industry', also: ['Sector'] },
  tier: { title: 'Tier', also: ['Segment'] },
  status: { title: 'Status', also: ['Stage'] },
  health: { title: 'Health' },
  arr: { title: 'ARR', also: ['Annual recurring revenue', 'Revenue', 'Amount'] },
  currency: { title: 'Currency' },
  renewal_date: { title: 'Renewal', also: ['Renews', 'Renewal day', 'Contract end'] },
  owner_id: { title: 'Owner', also: ['Owner email', 'CSM', 'Account owner', 'Account manager'] },
  contact: { title: 'Contact', also: ['Contact name', 'Primary contact'] },
  contact_email: { title: 'Contact email', also: ['Contact mail', 'Email'] },
  tags: { title: 'Tags', also: ['Labels'] },
  notes: { title: 'Notes', also: ['Description', 'Comment'] },
} as const satisfies Messages

export const planColumns = {
  title: { title: 'Title', also: ['Plan', 'Success plan', 'Name', 'Project'] },
  type: { title: 'Type' },
  account_id: { title: 'Account', also: ['Account name', 'Customer', 'Company'] },
  owner_id: { title: 'Owner', also: ['Owner email', 'CSM', 'Responsible'] },
  status: { title: 'Status' },
  health: { title: 'Health' },
  progress: { title: 'Progress', also: ['Progress in %', 'Per cent', 'Percent complete'] },
  start_date: { title: 'Start date', also: ['Start', 'Begin'] },
  end_date: { title: 'End date', also: ['End', 'Due', 'Due date', 'Deadline'] },
  update_cadence_days: {
    title: 'Update cadence in days',
    also: ['Cadence', 'Update cadence', 'Update rhythm in days', 'Update rhythm'],
  },
  description: { title: 'Description', also: ['Notes'] },
  success_criteria: { title: 'Success criteria', also: ['Criteria', 'Goals'] },
} as const satisfies Messages
