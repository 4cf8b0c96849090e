// Who was given a plan or an action by whom: the digest tells of it. What somebody takes on themselves
// is no news to them.
import type { Tx } from '../database/database.ts'
import { chunked } from './records.ts'

interface Assignment {
  /** Of the plan or the action. */
  id: string
  /** Whose it is now. */
  user_id: string | null | undefined
}

/** Notes what was given to others than who gave it. */
export async function recordAssignments(
  tx: Tx,
  organisation_id: string,
  by: { user_id: string; now: string },
  records: readonly Assignment[],
): Promise<void> {
  const rows = records.flatMap(({ id, user_id }) =>
    user_id && user_id !== by.user_id
      ? [{ organisation_id, record_id: id, user_id, assigned_by: by.user_id, assigned_at: by.now }]
      : [],
  )
  for (const chunk of chunked(rows))
    await tx
      .insertInto('assignments')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['organisation_id', 'record_id']).doUpdateSet((row) => ({
          user_id: row.ref('excluded.user_id'),
          assigned_by: row.ref('excluded.assigned_by'),
          assigned_at: row.ref('excluded.assigned_at'),
        })),
      )
      .execute()
}
