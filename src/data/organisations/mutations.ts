// The organisation itself, and one's own place in it: all of it needs a network.
import type { InferInput } from 'valibot'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Organisation, OrganisationEdit } from '../../../contract/schemas/organisations.ts'
import { sync } from '../../sync/client.ts'
import { clearBootCache } from '../../sync/react/boot-cache.ts'

/** Asks what the active organisation is by now: its plan, the own role. Without an answer it stays. */
export async function refreshOrganisation(): Promise<void> {
  const session = sync().session.current()
  const id = session?.active_organisation?.id
  if (!session || id === undefined) return
  const now = await sync()
    .call(endpoints.getOrganisation, { path: { id } })
    .catch(() => undefined)
  if (now) await sync().update(session.user.id, { active_organisation: now })
}

/** Changes the active organisation. Throws a CallError. */
export async function editOrganisation(
  { id }: Organisation,
  body: InferInput<typeof OrganisationEdit>,
): Promise<void> {
  if (Object.keys(body).length === 0) return
  const now = await sync().call(endpoints.updateOrganisation, { path: { id }, body })
  const user_id = sync().session.current()?.user.id
  if (user_id !== undefined) await sync().update(user_id, { active_organisation: now })
}

/** Deletes the active organisation for everybody; `name` is its name, repeated. Throws a CallError. */
export async function deleteOrganisation({ id }: Organisation, name: string): Promise<void> {
  await sync().call(endpoints.deleteOrganisation, { path: { id }, body: { name } })
  await forgetOrganisation(id)
}

/** Leaves the active organisation. Throws a CallError. */
export async function leaveOrganisation({ id }: Organisation): Promise<void> {
  await sync().call(endpoints.leaveOrganisation, { body: { organisation_id: id } })
  await forgetOrganisation(id)
}

/** Closes an organisation that one does not belong to any more, and takes its copy off the device. */
async function forgetOrganisation(id: string): Promise<void> {
  const user_id = sync().session.current()?.user.id
  await sync().chooseOrganisation(null)
  clearBootCache()
  if (user_id === undefined) return
  await sync()
    .store.transact(['cache'], 'readwrite', async (tx) => tx.deleteAll('cache', [user_id, id]))
    .catch(() => undefined)
}
