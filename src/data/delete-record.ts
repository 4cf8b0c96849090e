import { CallError, sync } from '../sync/client.ts'
import type { EndpointRow } from '../sync/core/ports.ts'
import { removeRecord } from '../sync/react/apply-changes.ts'

/**
 * Deletes a record on the server now, and then here. One that is gone already counts as deleted.
 * Throws a CallError where the server did not do it.
 */
export async function deleteRecord(
  row: EndpointRow<{ path: { id: string } }, unknown>,
  collection: string,
  id: string,
): Promise<void> {
  try {
    await sync().call(row, { path: { id } })
  } catch (problem) {
    if (!(problem instanceof CallError) || problem.status !== 404) throw problem
  }
  await removeRecord(collection, id)
}
