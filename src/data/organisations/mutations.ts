// Changes of the organisation and of the user's own membership. All need a network.
import type { InferInput } from 'valibot'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Organisation, OrganisationEdit } from '../../../contract/schemas/organisations.ts'
import { sync } from '../../sync/client.ts'
import { clearBootCache } from '../../sync/react/boot-cache.ts'
import { adoptOrganisation, refreshOrganisation } from './refresh.ts'

/** Changes the active organisation. Throws a CallError. */
export async function editOrganisation(
  organisation: Organisation,
  body: InferInput<typeof OrganisationEdit>,
): Promise<void> {
  if (Object.keys(body).length === 0) return
  const { id } = organisation
  await sync().call(endpoints.updateOrganisation, { path: { id }, body })
  // Read, because the answer may have only a part of the fields.
  if (!(await refreshOrganisation())) await adoptOrganisation(Object.assign({}, organisation, body))
}

/** Deletes the active organisation for all members. `name` must repeat its name. Throws a CallError. */
export async function deleteOrganisation({ id }: Organisation, name: string): Promise<void> {
  await sync().call(endpoints.deleteOrganisation, { path: { id }, body: { name } })
  await forgetOrganisation(id)
}

/** Leaves the active organisation; `heir_id` takes over the work. Throws a CallError. */
export async function leaveOrganisation(
  { id }: Organisation,
  heir_id: string | undefined,
): Promise<void> {
  const body = { organisation_id: id, ...(heir_id !== undefined && { heir_id }) }
  await sync().call(endpoints.leaveOrganisation, { body })
  await forgetOrganisation(id)
}

/** Closes an organisation that the user left or deleted, and deletes its replica on this device. */
async function forgetOrganisation(id: string): Promise<void> {
  const user_id = sync().session.current()?.user.id
  await sync().chooseOrganisation(null)
  clearBootCache()
  if (user_id === undefined) return
  await sync()
    .store.transact(['cache'], 'readwrite', async (tx) => tx.deleteAll('cache', [user_id, id]))
    // If this fails, the sign-out deletes it with the user's other data.
    .catch(() => undefined)
}

/**
 * Opens an organisation that a form has created. If an earlier attempt created it and its answer was lost, it gets
 * what was `typed` since then, unless others have changed it. Throws a CallError.
 */
export async function openCreated(
  created: Organisation,
  typed: InferInput<typeof OrganisationEdit>,
): Promise<void> {
  await sync().chooseOrganisation(created)
  const left = Object.entries(typed).filter(
    ([name, value]) => value !== created[name as keyof typeof typed],
  )
  if (created.updated_at === created.created_at)
    await editOrganisation(created, Object.fromEntries(left))
}
