// Counts of what is stored on this device.
import type { ResourceName } from '../../../contract/resources.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { sync } from '../../sync/client.ts'
import { clearBootCache } from '../../sync/react/boot-cache.ts'

/** What is stored of one organisation. */
interface StoredOrganisation {
  id: string
  name: string
  plans: number
  updates: number
  accounts: number
  /** When the replica was last complete, in epoch milliseconds; null if it never was. */
  completed_at: number | null
}

/** Storage use of the whole device and of each organisation. */
export interface OfflineData {
  organisations: StoredOrganisation[]
  /** In bytes; undefined if the browser does not report it. */
  usage: number | undefined
  quota: number | undefined
  persisted: boolean
}

/** Counts what is stored of those organisations. Rejects if storage fails. */
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
 * Deletes all replicas; pending operations and drafts stay. The open organisation is then downloaded
 * again. Rejects if storage fails; nothing is deleted in that case.
 */
export async function clearOfflineData(): Promise<void> {
  await (await sync().engine()).room.evictReplicas()
  clearBootCache()
  void sync().syncNow()
}
