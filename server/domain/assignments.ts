// Assignments of plans and actions to other users, for the digest.
import type { Tx } from '../database/connection.ts'
import { chunked } from './records.ts'

interface Assignment {
  /** Id of the plan or action. */
  id: string
  /** The new owner or assignee. */
  user_id: string | null | undefined
}

/**
 * Records who assigned what to whom, replacing earlier assignments. Skips what users assign to
 * themselves.
 */
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
