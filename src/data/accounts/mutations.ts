import { AccountDraft, type Account, type AccountEdit } from '../../../contract/schemas/accounts.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import type * as v from 'valibot'
import { sync } from '../../sync/client.ts'
import { newId } from '../../sync/browser/new-id.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { deleteRecord } from '../delete-record.ts'
import { queueEdit } from '../queue-edit.ts'

/** Queues a new account and returns its final id. Resolves when it is durable on this device. */
export async function createAccount(draft: v.InferInput<typeof AccountDraft>): Promise<string> {
  const id = newId()
  await sync().enqueue(endpoints.createAccount, { body: { ...draft, id } })
  return id
}

/**
 * Queues a change of an account that stood there as `seen`, in place of `refused` where that is given;
 * nothing where nothing changes.
 */
export async function editAccount(
  seen: Account,
  body: v.InferInput<typeof AccountEdit>,
  refused?: Operation,
): Promise<void> {
  const { id } = seen
  if (Object.keys(body).length === 0) return
  await queueEdit({
    creation: 'createAccount',
    draft: AccountDraft,
    seen,
    body,
    refused,
    send: () => sync().enqueue(endpoints.updateAccount, { path: { id }, body }, seen),
  })
}

/** Deletes an account on the server now. Throws a CallError where that cannot be. */
export const deleteAccount = (id: string): Promise<void> =>
  deleteRecord(endpoints.deleteAccount, 'accounts', id)
