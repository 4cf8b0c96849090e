// Users with forms: the record is frozen when the form opens, text is typed and saved later, and a draft
// survives the tab that it was typed in.
import { readSession } from '../../../../src/sync/core/session-store.ts'
import type { Replica, ReplicaRecord } from '../../../../src/sync/core/replica.ts'
import { editOf, upcast } from '../../../../src/sync/core/operation.ts'
import type { Context, ShownRecord } from '../context.ts'
import type { SimulatedDevice } from '../random-device.ts'
import type { Fields } from '../record-types.ts'

const DEBOUNCE_MS = 300
/** After that time, a tab that is not frozen knows what is in the database. */
const SETTLED_MS = 5_000
const FIELDS = ['title', 'description', 'success_criteria'] as const

interface Form {
  scope: Replica['scope']
  plan_id: string
  draft: string[]
  /** The record as it was when the form opened. */
  shown: ShownRecord
  /** With the values that a restored draft was typed over. */
  seen: ReplicaRecord
  typed: Fields
}

/** As the forms store it: the changed fields, and what they were typed over. */
interface StoredDraft {
  typed: Fields
  seen: Fields
}

const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, from[name]]))

export class SimulatedForms {
  readonly #device: SimulatedDevice
  readonly #newText: () => string
  readonly #forms = new Map<Context, Form>()
  /** Drafts whose form was saved, and that were not written since. */
  readonly #cleared = new Set<string>()
  /** By draft: what its fields showed before they were typed, independent of what is stored. */
  readonly #typedOver = new Map<string, Fields>()

  /** `newText` returns a text that nothing else contains. */
  constructor(device: SimulatedDevice, newText: () => string) {
    this.#device = device
    this.#newText = newText
  }

  #isAt(tab: Context, { user_id, organisation_id }: Form['scope']): boolean {
    const scope = tab.engine.activeReplica()?.scope
    return scope?.user_id === user_id && scope.organisation_id === organisation_id
  }

  /** Opens a form, in some tab or in a new one; types into it later, and then saves it or leaves it. */
  use(plans: (organisation_id: string) => readonly string[]): void {
    const { rng } = this.#device.world
    if (rng.withProbability(0.25)) return this.#coldStart(plans)
    const tabs = this.#device.tabs.filter((tab) => tab.engine.activeReplica() !== undefined)
    const tab = tabs.length > 0 ? rng.pick(tabs) : undefined
    const scope = tab?.engine.activeReplica()?.scope
    // Most forms are of a few plans, so that drafts are restored.
    const known = scope ? plans(scope.organisation_id) : []
    if (tab && scope)
      void this.#open(tab, scope, rng.pick(rng.withProbability(0.7) ? known.slice(0, 2) : known))
  }

  /** Opens a tab at the address of a form, as a browser restores it. */
  #coldStart(plans: (organisation_id: string) => readonly string[]): void {
    const { world } = this.#device
    if (this.#device.contexts.length >= 5) return
    const tab = this.#device.open('tab')
    const at = world.rng.fraction() ** 3
    let left = 150
    const look = () => {
      left -= 1
      const scope = tab.engine.activeReplica()?.scope
      const all = scope ? plans(scope.organisation_id) : []
      const plan_id = all[Math.floor(at * all.length)]
      if (scope && plan_id !== undefined && tab.isOutboxRead && tab.shown('success_plans', plan_id))
        void this.#open(tab, scope, plan_id)
      else if (left > 0) world.schedule(left > 50 ? 2 : 100, look, tab)
    }
    look()
  }

  async #open(tab: Context, scope: Form['scope'], plan_id: string): Promise<void> {
    const shown = tab.shown('success_plans', plan_id)
    if (!shown || !tab.isOutboxRead) return
    this.#checkOwnEdits(tab, scope, plan_id)
    const draft = [scope.user_id, scope.organisation_id, `plan:${plan_id}`]
    const stored = await tab.ports.store
      .transact(['drafts'], 'readonly', (tx) => tx.get('drafts', draft))
      .catch(() => undefined)
    const name = draft.join(' ')
    if (stored !== undefined && this.#cleared.has(name))
      this.#device.world.fail('I1', `the draft of ${name} came back after it was saved`)
    const { typed = {}, seen = {} } = (stored ?? {}) as Partial<StoredDraft>
    const { rng } = this.#device.world
    this.#device.world.log(tab.name, () => `opens the form of ${plan_id} ${JSON.stringify(typed)}`)
    const form = { scope, plan_id, draft, typed, shown, seen: { ...shown.seen, ...seen } }
    this.#forms.set(tab, form)
    const isThere = () => this.#forms.get(tab) === form && this.#isAt(tab, scope)
    const saves = rng.withProbability(0.5)
    const later = (work: () => void) =>
      this.#device.world.schedule(rng.fraction() ** 2 * 30_000, () => isThere() && work(), tab)
    later(() => {
      if (rng.withProbability(0.8)) this.#type(tab, form)
      if (saves) later(() => this.#save(tab, form))
    })
  }

  /** I8: a form shows what this device has stored for its record. */
  #checkOwnEdits(tab: Context, { user_id, organisation_id }: Form['scope'], plan_id: string): void {
    const { ledger, store, world } = this.#device
    if (!ledger.trustsStorage || world.now - tab.thawedAt < SETTLED_MS) return
    const known = new Set(tab.engine.state.operations.get().map(({ id }) => id))
    for (const one of store.values('operations').map(upcast)) {
      if (!one || one.user_id !== user_id || one.organisation_id !== organisation_id) continue
      const entry = ledger.entries.get(one.id)
      if (editOf(one, tab.ports.calls)?.id !== plan_id) continue
      if (!entry || world.now - entry.committed_at < SETTLED_MS || known.has(one.id)) continue
      world.fail('I8', `the form of ${plan_id} in ${tab.name} opens without “${entry.text}”`)
    }
  }

  #type(tab: Context, form: Form): void {
    const { world } = this.#device
    const name = form.draft.join(' ')
    const before = Object.keys(form.typed).length > 0 ? this.#typedOver.get(name) : {}
    form.typed = { ...form.typed, [world.rng.pick(FIELDS)]: this.#newText() }
    const { typed, seen } = form
    world.log(tab.name, () => `types ${JSON.stringify(typed)}`)
    const stored = { typed, seen: pick(seen, ['version', ...Object.keys(typed)]) }
    this.#typedOver.set(name, { ...pick(seen, Object.keys(typed)), ...before })
    const save = () => {
      if (this.#forms.get(tab) === form) void this.#writeDraft(tab, form, stored)
    }
    world.schedule(DEBOUNCE_MS, save, tab)
  }

  #save(tab: Context, form: Form): void {
    const { plan_id, typed, shown, seen } = form
    if (Object.keys(typed).length === 0) return
    this.#forms.delete(tab)
    const name = form.draft.join(' ')
    // What a draft was typed over is what its author has seen of these fields.
    const over = this.#typedOver.get(name)
    const known = [
      { ...shown.copy, ...over },
      { ...shown.seen, ...over },
    ]
    const input = { path: { id: plan_id }, body: typed }
    // The operation and the end of its draft are one transaction.
    void tab
      .enqueue('updateSuccessPlan', input, { ...shown, seen, known }, form.draft)
      .then(() => this.#cleared.add(name))
      .catch(() => undefined)
  }

  /** Stores the draft, as long as its user is signed in. */
  async #writeDraft(tab: Context, { draft }: Form, stored: StoredDraft): Promise<void> {
    const name = draft.join(' ')
    this.#cleared.delete(name)
    const written = tab.ports.store.transact(['drafts', 'session'], 'readwrite', async (tx) => {
      const { session } = await readSession(tx)
      if (session?.user.id === draft[0]) tx.put('drafts', draft, stored)
    })
    // A form of another tab may have been saved right before.
    await written.then(
      () => this.#cleared.delete(name),
      () => undefined,
    )
  }

  /** A power cut may undo the last writes that were not flushed. */
  powerCut(): void {
    this.#cleared.clear()
  }
}
