import type { Context } from '../context.ts'
import type { SimulatedDevice } from '../random-device.ts'

/** A random tab that shows an organisation; undefined without one. */
export function tabWithReplica(
  device: SimulatedDevice,
): { tab: Context; organisation_id: string } | undefined {
  const tabs = device.tabs.filter(({ engine }) => engine.activeReplica() !== undefined)
  const tab = tabs.length > 0 ? device.world.rng.pick(tabs) : undefined
  const organisation_id = tab?.engine.activeReplica()?.scope.organisation_id
  return tab && organisation_id !== undefined ? { tab, organisation_id } : undefined
}

/** Undoes operations that have not left. */
export function takeBack(tab: Context, ids: readonly string[]): void {
  const { ledger } = tab.device
  void ledger.removals
    .during(
      tab,
      (one) => ids.includes(one.id) && one.attempts === 0,
      () => tab.engine.outbox.discard(ids, true),
    )
    .then((removed) => {
      for (const one of removed) ledger.takenBack(one.id)
      return tab.engine.outboxChanged()
    })
    .catch(() => undefined)
}
