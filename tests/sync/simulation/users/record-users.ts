// Users who edit accounts, make initiatives and actions, move them on and tick them.
import { transitionsFrom } from '../../../../contract/rules.ts'
import type { CallInput } from '../../../../src/sync/core/ports.ts'
import { HEALTHS } from '../../../../contract/values.ts'
import type { Context, NewEdit } from '../context.ts'
import type { SimulatedDevice } from '../random-device.ts'
import { ORGANISATIONS, USERS } from '../model-server.ts'
import { tabWithReplica, takeBack } from './take-back.ts'

const DAY_MS = 86_400_000
/** Longer than the time for an undo. */
const UNDO_WITHIN_MS = 10_000

type Collection = 'initiatives' | 'actions'

/** What a user of records needs to know of the other users on the device. */
interface KnownRecords {
  newText: () => string
  plansOf: (organisation_id: string) => readonly string[]
  accountsOf: (organisation_id: string) => readonly string[]
}

export class RecordUsers {
  readonly #device: SimulatedDevice
  readonly #known: KnownRecords
  readonly #made = new Map<string, string[]>()

  constructor(device: SimulatedDevice, known: KnownRecords) {
    this.#device = device
    this.#known = known
  }

  /** The ids of the records made on this device. */
  madeIn(organisation_id: string, name: Collection): string[] {
    const key = `${organisation_id} ${name}`
    const ids = this.#made.get(key) ?? []
    this.#made.set(key, ids)
    return ids
  }

  /** Makes, edits or ticks a record in a random tab. */
  work(): void {
    const { rng } = this.#device.world
    const place = tabWithReplica(this.#device)
    if (!place) return
    const { tab, organisation_id } = place
    const actions = this.madeIn(organisation_id, 'actions')
    const initiatives = this.madeIn(organisation_id, 'initiatives')
    const kind = rng.fraction()
    if (kind < 0.2) this.#editAccount(tab, rng.pick(this.#known.accountsOf(organisation_id)))
    else if (kind < 0.35 || initiatives.length === 0) this.#makeInitiative(tab, organisation_id)
    else if (kind < 0.55) this.#editInitiative(tab, rng.pick(initiatives))
    else if (kind < 0.75 || actions.length === 0) this.#makeAction(tab, organisation_id)
    else this.#editAction(tab, rng.pick(actions))
  }

  /** Records the outcome of a renewal, which moves the next one. */
  recordOutcome(): void {
    const { now } = this.#device.world
    const place = tabWithReplica(this.#device)
    if (!place) return
    const id = this.#anyAccount(place.organisation_id)
    const shown = place.tab.shown('accounts', id)
    if (!shown) return
    const renewal_date = this.#anyDay()
    const renewal_outcome = {
      id: this.#device.newId(),
      due: shown.seen.renewal_date ?? '2026-01-31',
      outcome: 'moved',
      next_date: renewal_date,
      note: this.#known.newText(),
      recorded_at: new Date(now).toISOString(),
    }
    const body = { renewal_outcome, renewal_date }
    this.#say(place.tab, 'updateAccount', { path: { id }, body }, shown)
  }

  /** Another user, who is always online, moves a renewal. */
  moveRenewalElsewhere(): void {
    const organisation_id = this.#device.world.rng.pick(ORGANISATIONS)
    const id = this.#anyAccount(organisation_id)
    const change = { renewal_date: this.#anyDay() }
    this.#device.server.editRecord(organisation_id, 'accounts', id, change)
  }

  /** Mostly the first one, so that several users move its renewal. */
  #anyAccount(organisation_id: string): string {
    const { rng } = this.#device.world
    const [first = '', ...others] = this.#known.accountsOf(organisation_id)
    return others.length === 0 || rng.withProbability(0.7) ? first : rng.pick(others)
  }

  #anyDay(): string {
    const { rng, now } = this.#device.world
    return new Date(now + rng.integerBelow(400) * DAY_MS).toISOString().slice(0, 10)
  }

  /** Changes several plans as one step; some of these are undone in time, or nearly so. */
  changeMany(): void {
    const { world } = this.#device
    const { rng } = world
    const place = tabWithReplica(this.#device)
    if (!place) return
    const { tab, organisation_id } = place
    const health = rng.withProbability(0.5) ? { health: rng.pick(HEALTHS) } : {}
    const moved = rng.withProbability(0.6) ? this.#ownerOrEnd() : {}
    const edits = this.#known.plansOf(organisation_id).flatMap((id): NewEdit[] => {
      const shown = rng.withProbability(0.7) ? tab.shown('success_plans', id) : undefined
      const body = { description: this.#known.newText(), ...health, ...moved }
      const endpoint = 'updateSuccessPlan'
      return shown ? [{ endpoint, input: { path: { id }, body }, shown }] : []
    })
    if (edits.length === 0) return
    const isUndone = rng.withProbability(0.4)
    const delayMs = rng.fraction() * UNDO_WITHIN_MS
    void tab.enqueueMany(edits).then(
      (ids) => isUndone && world.schedule(delayMs, () => takeBack(tab, ids), tab),
      () => undefined,
    )
  }

  /** Another user, who is always online, hands a plan over or moves its end. */
  movePlanElsewhere(): void {
    const { rng, now } = this.#device.world
    const organisation_id = rng.pick(ORGANISATIONS)
    const plan_id = rng.pick(this.#known.plansOf(organisation_id))
    this.#device.server.editPlan(organisation_id, plan_id, this.#ownerOrEnd(), now)
  }

  #ownerOrEnd() {
    const { rng } = this.#device.world
    return rng.withProbability(0.5) ? { owner_id: rng.pick(USERS) } : { end_date: this.#anyDay() }
  }

  #say(
    tab: Context,
    endpoint: string,
    input: CallInput,
    shown?: Parameters<Context['enqueue']>[2],
    made?: string[],
  ): void {
    const id = (input.body as { id?: string }).id
    void tab.enqueue(endpoint, input, shown).then(
      () => id !== undefined && made?.push(id),
      () => undefined,
    )
  }

  #editAccount(tab: Context, id: string): void {
    const shown = tab.shown('accounts', id)
    const body = { name: this.#known.newText() }
    if (shown) this.#say(tab, 'updateAccount', { path: { id }, body }, shown)
  }

  #makeInitiative(tab: Context, organisation_id: string): void {
    const { rng } = this.#device.world
    const success_plan_id = rng.pick(this.#known.plansOf(organisation_id))
    if (!tab.offers('success_plans', success_plan_id)) return
    const body = { id: this.#device.newId(), title: this.#known.newText(), success_plan_id }
    const made = this.madeIn(organisation_id, 'initiatives')
    this.#say(tab, 'createInitiative', { body }, undefined, made)
  }

  #editInitiative(tab: Context, id: string): void {
    const { rng } = this.#device.world
    const shown = tab.shown('initiatives', id)
    if (!shown) return
    const next = transitionsFrom(String(shown.seen.status))
    const title = this.#known.newText()
    const body =
      rng.withProbability(0.5) && next.length > 0 ? { status: rng.pick(next) } : { title }
    this.#say(tab, 'updateInitiative', { path: { id }, body }, shown)
  }

  #makeAction(tab: Context, organisation_id: string): void {
    const { rng } = this.#device.world
    const initiatives = this.madeIn(organisation_id, 'initiatives')
    const initiative_id =
      initiatives.length > 0 && rng.withProbability(0.6) ? rng.pick(initiatives) : undefined
    const success_plan_id =
      initiative_id === undefined ? rng.pick(this.#known.plansOf(organisation_id)) : undefined
    if (!tab.offers('initiatives', initiative_id) || !tab.offers('success_plans', success_plan_id))
      return
    const parent = initiative_id === undefined ? { success_plan_id } : { initiative_id }
    const body = { id: this.#device.newId(), title: this.#known.newText(), ...parent }
    this.#say(tab, 'createAction', { body }, undefined, this.madeIn(organisation_id, 'actions'))
  }

  /** Ticks an action, or changes its title. */
  #editAction(tab: Context, id: string): void {
    const { rng, now } = this.#device.world
    const shown = tab.shown('actions', id)
    if (!shown) return
    const isDone = shown.seen.status === 'done'
    const tick = isDone
      ? { status: 'todo' }
      : { status: 'done', completed_at: new Date(now).toISOString() }
    const change = rng.withProbability(0.7) ? tick : { title: this.#known.newText() }
    this.#say(tab, 'updateAction', { body: { id, ...change } }, shown)
  }
}
