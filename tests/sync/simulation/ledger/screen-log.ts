// I8: what a tab has shown as its own stays on its screen until the server's record contains it.
import { engineTable } from '../../../../contract/engine-table.ts'
import { editOf, type Operation } from '../../../../src/sync/core/operation.ts'
import type { ReplicaRecord, Scope } from '../../../../src/sync/core/replica.ts'
import type { SimulatedDevice } from '../random-device.ts'
import type { LedgerEntry } from '../record-types.ts'
import { recordKey } from '../simulated-screen.ts'

const { calls } = engineTable
/** By endpoint: the collection of the record that a call creates, or edits. */
const CREATES: Record<string, string> = {
  postPlanUpdate: 'success_plan_updates',
  createAccount: 'accounts',
  createSuccessPlan: 'success_plans',
  createInitiative: 'initiatives',
  createAction: 'actions',
}
const EDITS: Record<string, string> = {
  postPlanUpdate: 'success_plans',
  updateSuccessPlan: 'success_plans',
  updateAccount: 'accounts',
  updateInitiative: 'initiatives',
  updateAction: 'actions',
}

/** What a tab has shown of an operation: the record that it creates or edits. */
interface ShownOperation {
  id: string
  place: string
  kind: 'creates' | 'edits'
  /** The server's record has replaced it. */
  handed: boolean
  evictions: number
}

/** Observes one tab. */
export class ScreenLog {
  readonly #device: SimulatedDevice
  readonly #tab: string
  #shown = new Map<string, ShownOperation>()
  #evictions = 0

  constructor(device: SimulatedDevice, tab: string) {
    this.#device = device
    this.#tab = tab
  }

  /** The tab shows another organisation, or nothing. */
  clear(): void {
    this.#shown.clear()
  }

  /** Compares what the tab shows now with what it has shown. `screen`: its records by `recordKey`. */
  check(
    scope: Scope,
    operations: readonly Operation[],
    screen: ReadonlyMap<string, ReplicaRecord>,
  ): void {
    const { ledger, world } = this.#device
    for (const one of operations)
      if (one.user_id === scope.user_id && one.organisation_id === scope.organisation_id)
        this.#note(one)
    this.#evictions = ledger.evictions
    const present = new Set(operations.map(({ id }) => id))
    for (const [key, shown] of this.#shown) {
      if (present.has(shown.id)) continue
      const entry = ledger.entries.get(shown.id)
      const excused = !entry || entry.discarded || this.#device.isDeleted(shown.place, entry)
      if (excused || shown.evictions < ledger.evictions) this.#shown.delete(key)
      else if (this.#hasCopy(shown, entry, screen.get(shown.place))) shown.handed = true
      else
        world.fail(
          'I8',
          `“${entry.text}” vanished from ${this.#tab} ${shown.handed ? 'after' : 'before'} its copy had come`,
        )
    }
  }

  #note({ id, endpoint, input }: Operation): void {
    // As of the last look: a thawed frozen tab may show a state older than its last look.
    const evictions = this.#evictions
    const note = (kind: ShownOperation['kind'], name: string, record: unknown) => {
      const place = recordKey(name, String(record))
      if (!this.#shown.has(`${kind} ${id}`))
        this.#shown.set(`${kind} ${id}`, { id, place, kind, handed: false, evictions })
    }
    const created = CREATES[endpoint]
    if (created) note('creates', created, (input.body as { id?: unknown }).id)
    const edited = EDITS[endpoint]
    const edit = editOf({ endpoint, input }, calls)
    if (edited && edit) note('edits', edited, edit.id)
  }

  /** Whether the record on the screen contains the effect of an operation. */
  #hasCopy(
    { kind }: ShownOperation,
    { effect }: LedgerEntry,
    record: ReplicaRecord | undefined,
  ): boolean {
    if (!record || kind === 'creates') return record !== undefined
    // Another database numbers its versions in another way.
    const isComparable = effect && effect.moves === this.#device.server.moves
    return !isComparable || Number(record.version) >= effect.version
  }
}
