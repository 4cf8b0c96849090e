// One context of the simulated device: a tab with an engine and its screens, or the worker, which only
// replays when the browser wakes it. Checks I8: a shown operation stays until the server's record replaces it.
import { progressAtCompletion } from '../../../contract/rules.ts'
import { engineTable } from '../../../contract/engine-table.ts'
import type { ReplicaRecord } from '../../../src/sync/core/replica.ts'
import { shownVersion } from '../../../src/sync/core/conflicts/shown-version.ts'
import { Engine } from '../../../src/sync/core/engine.ts'
import { EngineState } from '../../../src/sync/core/observable.ts'
import { readStoredSession, writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { editOf, type Operation } from '../../../src/sync/core/operation.ts'
import type { CallInput, Ports } from '../../../src/sync/core/ports.ts'
import { NEW_RECORDS } from './model/nested-records.ts'
import { NEW_PLAN } from './model/request-rules.ts'
import { transitionOf, type TransitionDraft } from './model/transitions.ts'
import type { BuildTable } from './earlier-build.ts'
import type { SimulatedDevice } from './random-device.ts'
import { ScreenLog } from './ledger/screen-log.ts'
import type { SimulatedProcess } from './simulated-environment.ts'
import { portsOf, recordKey, SimulatedScreen, SimulatedWorker, TOKEN } from './simulated-screen.ts'

/** How often a tab pulls, as the app does. */
const READ_SCREEN_INTERVAL_MS = 60_000
/** Every so many operations, one can be undone before it is sent, for so long. */
const QUICK_STEP_INTERVAL = 5
const QUICK_STEP_DELAY_MS = 8_000

/** A planted bug: changes the ports before the engine exists, or the engine after it. */
export interface Mutation {
  ports?: (ports: Ports, context: Context) => void
  engine?: (engine: Engine, context: Context) => void
}

/** A record: in the replica, and as the screen shows it. */
export interface ShownRecord {
  copy: ReplicaRecord
  seen: ReplicaRecord
  /** What the author of an edit has seen of it, where that differs. */
  known?: readonly ReplicaRecord[]
}

/** An edit of a record, as part of a step. */
export interface NewEdit {
  endpoint: string
  input: CallInput
  shown: ShownRecord
}

/** By collection: the fields of a new record that its draft may leave out. */
const NEW: Record<string, object> = { ...NEW_RECORDS, success_plans: NEW_PLAN }

/** A record as the screen shows it before the server has it: a plan is its author's. */
const newRecord = (name: string, { user_id, input }: Operation) => ({
  ...NEW[name],
  ...(name === 'success_plans' && { owner_id: user_id }),
  ...(input.body as object),
  version: 0,
})

export class Context implements SimulatedProcess {
  readonly name: string
  readonly kind: 'tab' | 'worker'
  readonly build: BuildTable
  readonly engine: Engine
  readonly ports: Ports
  readonly device: SimulatedDevice
  state: SimulatedProcess['state'] = 'live'
  /** No form opens before the outbox was read once. */
  isOutboxRead = false
  /** When it was last thawed, in virtual time. */
  thawedAt = 0
  readonly #screen = new SimulatedScreen()
  readonly #worker = new SimulatedWorker()
  readonly #log: ScreenLog
  /** Operations enqueued without a form. */
  #steps = 0

  constructor(
    device: SimulatedDevice,
    name: string,
    { kind, build }: { kind: 'tab' | 'worker'; build: BuildTable },
  ) {
    this.device = device
    this.name = name
    this.kind = kind
    this.build = build
    this.#log = new ScreenLog(device, name)
    const api = { baseUrl: '', network: device.network.of(this) }
    this.ports = portsOf(device, this, api, build.calls)
    device.mutation.ports?.(this.ports, this)
    this.engine = new Engine({
      ...engineTable,
      ...build,
      token: TOKEN,
      ports: this.ports,
      state: new EngineState(),
      onChanged: (scope, touched) => this.#screen.repaint(this.engine, scope, touched),
      schedule: (wait, work) => device.world.schedule(wait, work, this),
    })
    device.mutation.engine?.(this.engine, this)
  }

  /** The network may be back: a tab pulls, and the worker is woken by the browser. */
  wake(): void {
    if (this.kind === 'tab') this.engine.wake()
    else this.#worker.wake(this.device.world, this.ports, this, this.build)
  }

  /** Starts a tab as the page does: with the session in localStorage. */
  start(): void {
    if (this.kind === 'worker') return this.wake()
    const { engine, device } = this
    const storage = device.local.asStorage()
    engine.session.subscribe((kept) => {
      this.#writeLocal(storage, kept)
      if (this.#screen.follow(engine)) this.#log.clear()
    })
    engine.state.operations.subscribe(() => (this.#screen.changed = true))
    engine.subscription.setVisible(true)
    void engine
      .start(readStoredSession(storage))
      .catch(() => engine.wake())
      .finally(() => (this.isOutboxRead = true))
    this.#readScreen()
  }

  #readScreen(): void {
    this.device.world.schedule(
      READ_SCREEN_INTERVAL_MS,
      () => {
        this.engine.wake()
        void this.#openPlans().catch(() => undefined)
        this.#readScreen()
      },
      this,
    )
  }

  /** A server with lists only returns the updates of a plan when the plan is opened. */
  async #openPlans(): Promise<void> {
    const cache = this.engine.activeReplica()
    if (!cache || !this.engine.puller.usesLists) return
    for (const { id } of (await cache.collection('success_plans')) ?? [])
      await this.engine.pullScheduler.pullPartition(cache, 'success_plan_updates', id)
  }

  #writeLocal(storage: Storage, kept: Parameters<typeof writeStoredSession>[1]): void {
    const before = Number(storage.getItem('session_seq') ?? 0)
    writeStoredSession(storage, kept)
    if (Number(storage.getItem('session_seq') ?? 0) < before)
      this.device.world.fail('I6', `${this.name} put session ${kept.seq} in the place of ${before}`)
  }

  /** Whether an operation deletes a record. */
  isDeletion({ endpoint }: Operation): boolean {
    return this.ports.calls[endpoint]?.offlinePolicy?.deletes !== undefined
  }

  /** Whether a record can be chosen here: a tab of an earlier build may show nothing of a new one. */
  offers(name: string, id: string | undefined): boolean {
    const isShown = id !== undefined && this.shown(name, id) !== undefined
    return id === undefined || this.build === engineTable || isShown
  }

  /** Whether the screens let its author change an operation: not a deletion, nor what this build does not know. */
  mayEdit(operation: Operation): boolean {
    return operation.endpoint in this.ports.calls && !this.isDeletion(operation)
  }

  /** A record as this tab shows it: the server's record with the pending operations applied. */
  shown(name: string, id: string): ShownRecord | undefined {
    const { calls } = this.ports
    const operations = this.engine.state.operations
      .get()
      .filter((one) => one.user_id === this.#screen.scope?.user_id && one.state !== 'attention')
    const created = operations.find(
      (one) => calls[one.endpoint]?.offlinePolicy?.creates?.(one.input) === id,
    )
    const copy =
      this.#screen.records.get(recordKey(name, id)) ??
      (created && (newRecord(name, created) as never))
    if (!copy) return undefined
    const deleted = operations
      .filter((one) => this.isDeletion(one))
      .map(({ input }) => input.path?.id)
    const { success_plan_id, initiative_id } = copy as Record<string, unknown>
    // With its parent it leaves the screen at once.
    if ([id, success_plan_id, initiative_id].some((one) => deleted.includes(one as string)))
      return undefined
    const own = operations.filter((one) => editOf(one, calls)?.id === id)
    const version = shownVersion(copy, { version: Number(copy.version) }, own)
    const seen: ReplicaRecord = { ...copy, version }
    for (const one of operations) {
      const edited = editOf(one, calls)
      if (edited?.id !== id) continue
      // The replica has its answer, or a later one.
      const answered =
        one.state === 'acknowledged' ? Number((one.answer as ReplicaRecord)?.version) : 0
      if (answered > 0 && Number(copy.version) >= answered) continue
      const { outcome } = (one.input.body ?? {}) as { outcome?: string }
      // What follows from a new status, as on the screens.
      const isUpdate = one.endpoint === 'postPlanUpdate'
      const follows = isUpdate ? transitionOf(seen, one.input.body as TransitionDraft).set : {}
      // An outcome is appended, and no field of the record.
      const { renewal_outcome: _appended, outcome: asked, ...fields } = edited.fields
      Object.assign(seen, fields, isUpdate ? follows : asked !== undefined && { outcome: asked })
      const isEnded = isUpdate ? follows.outcome : edited.fields.status === 'completed'
      if (name === 'success_plans' && isEnded)
        seen.progress = progressAtCompletion(Number(seen.progress), outcome ?? '')
    }
    return { copy, seen }
  }

  /** Enqueues an operation; resolves when the screen may show "Saved on this device". */
  async enqueue(
    endpoint: string,
    input: CallInput,
    shown?: ShownRecord,
    draft?: string[],
  ): Promise<void> {
    if (shown) this.device.ledger.recordView(input, ...(shown.known ?? [shown.copy, shown.seen]))
    const { world, ledger, clockOffset } = this.device
    // A form that is saved is sent at once.
    if (!draft) this.#steps += 1
    const isDeletion = this.ports.calls[endpoint]?.offlinePolicy?.deletes !== undefined
    const isQuick = !draft && this.#steps % QUICK_STEP_INTERVAL === 0
    const delayMs = isQuick || isDeletion ? QUICK_STEP_DELAY_MS : 0
    const sentFrom = world.now + delayMs
    const operation = await this.engine.enqueue(endpoint, input, shown?.seen, draft, delayMs)
    const stored = this.device.store.values('operations') as Partial<Operation>[]
    ledger.confirm(
      operation,
      stored.some(({ id }) => id === operation.id),
    )
    const entry = ledger.entries.get(operation.id)
    // A delay ends early when the device's clock is changed.
    if (entry && delayMs > 0 && clockOffset === this.device.clockOffset) entry.not_before = sentFrom
  }

  /** Enqueues edits as one step, all or none, which can be undone before they are sent. Resolves to their ids. */
  async enqueueMany(edits: readonly NewEdit[]): Promise<string[]> {
    const { world, ledger, clockOffset } = this.device
    for (const { input, shown } of edits) ledger.recordView(input, shown.copy, shown.seen)
    ledger.steps.record(edits.map(({ input }) => input))
    const caller = this.engine.session.caller()
    if (!caller) throw new Error('No user is signed in.')
    const sentFrom = world.now + QUICK_STEP_DELAY_MS
    const all = edits.map(({ endpoint, input, shown }) => ({
      ...caller,
      endpoint,
      input,
      seen: shown.seen,
      delayMs: QUICK_STEP_DELAY_MS,
    }))
    const operations = await this.engine.outbox.enqueueAll(all)
    const stored = new Set(
      this.device.store.values('operations').map((one) => (one as Partial<Operation>).id),
    )
    for (const operation of operations) {
      ledger.confirm(operation, stored.has(operation.id))
      const entry = ledger.entries.get(operation.id)
      // As above.
      if (entry && clockOffset === this.device.clockOffset) entry.not_before = sentFrom
    }
    await this.engine.outboxChanged()
    return operations.map(({ id }) => id)
  }

  /** Checks I8 against what this context shows now. */
  readScreen(): void {
    const { scope, records, changed, isLoading } = this.#screen
    if (!changed || isLoading || this.state !== 'live' || !scope) return
    this.#screen.changed = false
    const { ledger } = this.device
    // The user is signed out and this context has not been notified yet: what it shows does not count.
    if (ledger.session?.user.id !== scope.user_id) return this.#log.clear()
    // Of a call that its build does not know, it shows nothing.
    const known = this.engine.state.operations
      .get()
      .filter(({ endpoint }) => endpoint in this.ports.calls)
    this.#log.check(scope, known, records)
  }
}
