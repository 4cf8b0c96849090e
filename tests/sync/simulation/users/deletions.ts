// Users who delete what a tab shows, and bring it back while it waits.
import type { CallInput } from '../../../../src/sync/core/ports.ts'
import type { SimulatedDevice } from '../random-device.ts'
import { tabWithReplica, takeBack } from './take-back.ts'

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

  /** Deletes a record that a tab shows and that the server has. */
  delete(): void {
    const place = tabWithReplica(this.#device)
    if (!place) return
    const { tab, organisation_id } = place
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
    const tab = tabWithReplica(this.#device)?.tab
    const user_id = tab?.engine.session.caller()?.user_id
    const deletions = tab?.engine.state.operations
      .get()
      .filter((one) => one.user_id === user_id && tab.isDeletion(one) && one.state === 'pending')
    if (!tab || !deletions || deletions.length === 0) return
    takeBack(tab, [this.#device.world.rng.pick(deletions).id])
  }
}
