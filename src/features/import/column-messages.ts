// Column titles of CSV imports: the title that the app exports and shows, and accepted alternatives.
import type { Messages } from '../../../contract/text/catalogue.ts'

export const accountColumns = {
  name: {
    title: 'Name',
    also: [
      'Account',
      'Account name',
      'Company',
      'Company name',
      'Customer',
      'Customer name',
      'Organisation',
    ],
  },
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
  contact_phone: { title: 'Contact phone', also: ['Contact telephone'] },
  tags: { title: 'Tags', also: ['Labels'] },
  notes: { title: 'Notes', also: ['Description', 'Comment'] },
} as const satisfies Messages

export const planColumns = {
  title: {
    title: 'Title',
    also: ['Plan', 'Plan name', 'Plan title', 'Success plan', 'Name', 'Project', 'Project name'],
  },
  type: { title: 'Type' },
  account_id: {
    title: 'Account',
    also: ['Account name', 'Customer', 'Customer name', 'Company', 'Company name'],
  },
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
  template_id: { title: 'Template', also: ['Plan template', 'Template title'] },
  description: { title: 'Description', also: ['Notes'] },
  success_criteria: { title: 'Success criteria', also: ['Criteria', 'Goals'] },
  outcome: { title: 'Outcome', also: ['Result'] },
  close_note: { title: 'Closing note', also: ['Reason', 'Close note'] },
  update: { title: 'Update', also: ['Latest update', 'Last note', 'Status note', 'Comment'] },
  update_date: { title: 'Last update', also: ['Update date', 'Updated', 'Last updated'] },
  update_author: { title: 'Update author', also: ['Updated by', 'Last update by', 'Author'] },
} as const satisfies Messages

/** What cells say. */
export const cellWords = {
  /** Without a date or cadence, also where the plan's template has one. */
  none: 'none',
} as const satisfies Messages

export const updateColumns = {
  plan_id: { title: 'Plan', also: ['Success plan', 'Plan name', 'Plan title', 'Title', 'Project'] },
  account_id: { title: 'Account', also: ['Account name', 'Customer', 'Company'] },
  written_at: { title: 'Date', also: ['Written', 'Written at', 'Time', 'When', 'Created'] },
  body: { title: 'Text', also: ['Update', 'Comment', 'Note', 'Notes', 'Body', 'Message'] },
  author: { title: 'Author', also: ['Written by', 'By', 'User', 'Name', 'Owner'] },
  progress: { title: 'Progress', also: ['Progress in %', 'Per cent', 'Percent complete'] },
  health: { title: 'Health' },
} as const satisfies Messages
