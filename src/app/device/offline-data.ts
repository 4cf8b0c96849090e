// What is kept on this device, counted.
import type { ResourceName } from '../../../contract/resources.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { sync } from '../../sync/client.ts'
import { clearBootCache } from '../../sync/react/boot-cache.ts'

/** What of one organisation is here. */
interface StoredOrganisation {
  id: string
  name: string
  plans: number
  updates: number
  accounts: number
  /** When all of it was last read, in epoch milliseconds; null when it never was. */
  completed_at: number | null
}

export interface OfflineData {
  organisations: StoredOrganisation[]
  /** In bytes; undefined where the browser does not say. */
  usage: number | undefined
  quota: number | undefined
  persisted: boolean
}

/** Counts what is here of those organisations. Rejects when storage does. */
export async function readOfflineData(
  user_id: string,
  organisations: readonly Pick<Organisation, 'id' | 'name'>[],
): Promise<OfflineData> {
  const [estimate, persisted, stored] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => undefined),
    navigator.storage?.persisted?.().catch(() => false),
    Promise.all(organisations.map((one) => countRecords(user_id, one))),
  ])
  return {
    organisations: stored.filter((one) => one.plans + one.accounts + one.updates > 0),
    usage: estimate?.usage,
    quota: estimate?.quota,
    persisted: persisted ?? false,
  }
}

async function countRecords(
  user_id: string,
  { id, name }: Pick<Organisation, 'id' | 'name'>,
): Promise<StoredOrganisation> {
  const cache = (await sync().engine()).replicaOf({ user_id, organisation_id: id })
  const countOf = async (resource: ResourceName) => (await cache.collection(resource))?.length ?? 0
  const { whole: complete, synced_at } = await cache.cursor()
  return {
    id,
    name,
    plans: await countOf('success_plans'),
    updates: await countOf('success_plan_updates'),
    accounts: await countOf('accounts'),
    completed_at: complete ? synced_at : null,
  }
}

/**
 * Removes all copies of what the server has; what was written here stays. The open organisation is
 * then read anew. Rejects when storage does; then nothing was removed.
 */
export async function clearOfflineData(): Promise<void> {
  await (await sync().engine()).evictReplicas()
  clearBootCache()
  void sync().syncNow()
}
