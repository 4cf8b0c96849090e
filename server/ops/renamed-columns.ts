// Table and column names before migration 007, so that older backups can be restored.

const RENAMED_TABLES = new Map([['pushes_told', 'sent_reminders']])

/** By table (its new name): old column names with the new ones. */
const RENAMED_COLUMNS = new Map<string, ReadonlyMap<string, string>>([
  [
    'mails',
    new Map([
      ['sealed', 'ciphertext'],
      ['due_at', 'next_attempt_at'],
      ['gives_up_at', 'expires_at'],
    ]),
  ],
  [
    'pushes',
    new Map([
      ['due_at', 'next_attempt_at'],
      ['gives_up_at', 'expires_at'],
    ]),
  ],
  ['sent_reminders', new Map([['at', 'sent_at']])],
  ['digests', new Map([['at', 'sent_at']])],
  [
    'stripe_customers',
    new Map([
      ['turn', 'request_seq'],
      ['holds_until', 'entitled_until'],
    ]),
  ],
  ['stripe_events', new Map([['at', 'received_at']])],
  ['sign_in_attempts', new Map([['at', 'attempted_at']])],
])

/** The current name of a table in a backup. */
export const currentTable = (table: string): string => RENAMED_TABLES.get(table) ?? table

/** A row of a backup, as JSON, with the current names of its columns. `table`: its current name. */
export function currentRow(table: string, row: string): string {
  const renamed = RENAMED_COLUMNS.get(table)
  if (!renamed) return row
  const entries = Object.entries(JSON.parse(row) as Record<string, unknown>)
  return JSON.stringify(
    Object.fromEntries(entries.map(([name, value]) => [renamed.get(name) ?? name, value])),
  )
}
