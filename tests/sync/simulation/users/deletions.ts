// Users who delete what a tab shows, and bring it back while it waits.
import type { CallInput } from '../../../../src/sync/core/ports.ts'
import type { Context } from '../context.ts'
import type { SimulatedDevice } from '../random-device.ts'

/** By collection: the call that deletes a record. */
const CALLS = {
  success_plans: 'deleteSuccessPlan',
  accounts: 'deleteAccount',
  initiatives: 'deleteInitiative',
  actions: 'deleteAction',
} as const
type Deletable = keyof typeof CALLS

interface KnownRecords {
  newText: () => string
  /** The ids of that kind that this device knows. */
  idsOf: (organisation_id: string, name: Deletable) => readonly string[]
}

export class DeletingUsers {
  readonly #device: SimulatedDevice
  readonly #known: KnownRecords

  constructor(device: SimulatedDevice, known: KnownRecords) {
    this.#device = device
    this.#known = known
  }

  #randomTab(): Context | undefined {
    const tabs = this.#device.tabs.filter((tab) => tab.engine.activeReplica() !== undefined)
    return tabs.length > 0 ? this.#device.world.rng.pick(tabs) : undefined
  }

  /** Deletes a record that a tab shows and that the server has. */
  delete(): void {
    const tab = this.#randomTab()
    const organisation_id = tab?.engine.activeReplica()?.scope.organisation_id
    if (!tab || organisation_id === undefined) return
    const { rng } = this.#device.world
    const name = rng.pick(Object.keys(CALLS) as Deletable[])
    const ids = this.#known
      .idsOf(organisation_id, name)
      // One plan stays, so that there is always something to work on.
      .filter((id) => id !== `${organisation_id}-1`)
    const id = ids.length > 0 ? rng.pick(ids) : undefined
    const shown = id === undefined ? undefined : tab.shown(name, id)
    if (id === undefined || !shown || Number(shown.copy.version) === 0) return
    const input: CallInput = { path: { id }, body: { title: `deletion, ${this.#known.newText()}` } }
    void tab.enqueue(CALLS[name], input, shown).catch(() => undefined)
  }

  /** Brings back a record whose deletion has not left. */
  undo(): void {
    const tab = this.#randomTab()
    const user_id = tab?.engine.session.caller()?.user_id
    const deletions = tab?.engine.state.operations
      .get()
      .filter((one) => one.user_id === user_id && tab.isDeletion(one) && one.state === 'pending')
    if (!tab || !deletions || deletions.length === 0) return
    const { id } = this.#device.world.rng.pick(deletions)
    const { ledger } = this.#device
    void ledger.removals
      .during(
        tab,
        (one) => one.id === id && one.attempts === 0,
        () => tab.engine.outbox.discard(id, true),
      )
      .then((removed) => {
        for (const one of removed) ledger.takenBack(one.id)
        return tab.engine.outboxChanged()
      })
      .catch(() => undefined)
  }
}
