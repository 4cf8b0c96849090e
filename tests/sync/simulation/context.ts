// One context of the simulated device: a tab with an engine and its screens, or the worker, which only
// replays when the browser wakes it. Checks I8: a shown operation stays until the server's record replaces it.
import { progressAtCompletion } from '../../../contract/rules.ts'
import { engineTable } from '../../../contract/engine-table.ts'
import type { ReplicaRecord, Scope } from '../../../src/sync/core/replica.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import { Engine } from '../../../src/sync/core/engine.ts'
import { EngineState } from '../../../src/sync/core/observable.ts'
import { readStoredSession, writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { editOf, type Operation } from '../../../src/sync/core/operation.ts'
import type { CallInput, Ports, ChangedIds } from '../../../src/sync/core/ports.ts'
import { NEW_RECORDS } from './model/nested-records.ts'
import { NEW_PLAN } from './model/request-rules.ts'
import type { SimulatedDevice } from './random-device.ts'
import { ScreenLog, recordKey } from './ledger/screen-log.ts'
import { Rng, type SimulatedProcess } from './simulated-environment.ts'

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

/** By collection: the fields of a new record that its draft may leave out. */
const NEW: Record<string, object> = { ...NEW_RECORDS, success_plans: NEW_PLAN }

const TOKEN = {
  ...engineTable.token,
  client: async () => ({ client_id: 'app' }),
  deviceTokens: () => '',
}

export class Context implements SimulatedProcess {
  readonly name: string
  readonly kind: 'tab' | 'worker'
  readonly engine: Engine
  readonly ports: Ports
  readonly device: SimulatedDevice
  state: SimulatedProcess['state'] = 'live'
  /** No form opens before the outbox was read once. */
  isOutboxRead = false
  /** When it was last thawed, in virtual time. */
  thawedAt = 0
  /** The records on the screens, of `#scope`. */
  #screen = new Map<string, ReplicaRecord>()
  #scope: Scope | undefined
  #rendering: Promise<void> = Promise.resolve()
  readonly #log: ScreenLog
  /** Operations enqueued without a form. */
  #steps = 0
  #changed = true

  constructor(device: SimulatedDevice, name: string, kind: 'tab' | 'worker') {
    this.device = device
    this.name = name
    this.kind = kind
    this.#log = new ScreenLog(device, name)
    const rng = new Rng(device.world.rng.integerBelow(2 ** 31))
    const { calls, writeQuery } = engineTable
    this.ports = {
      clock: { now: () => device.world.now + device.clockOffset },
      random: { id: () => device.newId(), fraction: () => rng.fraction() },
      store: device.store.of(this),
      locks: device.locks.of(this),
      channel: device.channel.of(this),
      network: device.network.of(this),
      calls: Object.fromEntries(Object.entries(calls).map(([row, call]) => [row, { ...call }])),
      writeQuery,
      api: () => ({ baseUrl: '' }),
    }
    device.mutation.ports?.(this.ports, this)
    this.engine = new Engine({
      ...engineTable,
      token: TOKEN,
      ports: this.ports,
      state: new EngineState(),
      onChanged: (scope, touched) => this.#render(() => this.#rerender(scope, touched)),
      schedule: (wait, work) => device.world.schedule(wait, work, this),
    })
    device.mutation.engine?.(this.engine, this)
  }

  /** The network may be back: a tab pulls, and the worker is woken by the browser. */
  wake(): void {
    if (this.kind === 'tab') return this.engine.wake()
    if (this.#called) return
    this.#called = true
    const { world } = this.device
    const sleep = (wait: number) =>
      new Promise<void>((resolve) => void world.schedule(wait, resolve, this))
    const last = world.rng.withProbability(0.3)
    const options = { last, sleep, signal: new Cancellation(), reads: engineTable }
    void replayInBackground(this.ports, TOKEN, options)
      .catch(() => undefined)
      .finally(() => (this.#called = false))
  }

  #called = false

  /** Starts a tab as the page does: with the session in localStorage. */
  start(): void {
    if (this.kind === 'worker') return this.wake()
    const { engine, device } = this
    const storage = device.local.asStorage()
    engine.session.subscribe((kept) => {
      this.#writeLocal(storage, kept)
      this.#changed = true
      const scope = engine.activeReplica()?.scope
      if (scope?.user_id === this.#scope?.user_id)
        if (scope?.organisation_id === this.#scope?.organisation_id) return
      this.#scope = scope
      this.#screen.clear()
      this.#log.clear()
      if (scope) void this.#render(() => this.#load(scope)).catch(() => undefined)
    })
    engine.state.operations.subscribe(() => (this.#changed = true))
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

  /** A record as this tab shows it: the server's record with the pending operations applied. */
  shown(name: string, id: string): ShownRecord | undefined {
    const { calls } = this.ports
    const operations = this.engine.state.operations
      .get()
      .filter((one) => one.user_id === this.#scope?.user_id && one.state !== 'attention')
    const created = operations.find(
      (one) => calls[one.endpoint]?.offlinePolicy?.creates?.(one.input) === id,
    )
    const copy =
      this.#screen.get(recordKey(name, id)) ??
      (created && ({ ...NEW[name], ...(created.input.body as object), version: 0 } as never))
    if (!copy) return undefined
    const seen: ReplicaRecord = { ...copy }
    for (const one of operations) {
      const edited = editOf(one, calls)
      if (edited?.id !== id) continue
      const { outcome } = (one.input.body ?? {}) as { outcome?: string }
      Object.assign(seen, edited.fields)
      if (name === 'success_plans' && edited.fields.status === 'completed')
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
    const delayMs = !draft && this.#steps % QUICK_STEP_INTERVAL === 0 ? QUICK_STEP_DELAY_MS : 0
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

  /** Runs renders one after another, as the screens are painted. */
  async #render(work: () => Promise<void>): Promise<void> {
    const painted = this.#rendering.then(work)
    this.#rendering = painted.catch(() => undefined)
    await painted
  }

  async #load(scope: Scope): Promise<void> {
    const cache = this.engine.replicaOf(scope)
    for (const name of ['accounts', 'success_plans', 'initiatives', 'actions']) {
      const records = (await cache.collection(name)) ?? []
      this.#show(scope, name, records)
      if (name === 'success_plans') for (const { id } of records) await this.#loadUpdates(scope, id)
    }
  }

  async #loadUpdates(scope: Scope, plan_id: string): Promise<void> {
    const updates = await this.engine.replicaOf(scope).partition('success_plan_updates', plan_id)
    if (!updates) return
    for (const [place, record] of this.#screen)
      if (place.startsWith('success_plan_updates/') && record.success_plan_id === plan_id)
        this.#screen.delete(place)
    this.#show(scope, 'success_plan_updates', updates)
  }

  async #rerender(scope: Scope, touched: ChangedIds): Promise<void> {
    if (!this.#isShown(scope)) return
    const cache = this.engine.replicaOf(scope)
    for (const [name, { ids, partitions }] of Object.entries(touched)) {
      for (const plan_id of partitions) await this.#loadUpdates(scope, plan_id)
      if (partitions.length > 0) continue
      for (const id of ids) {
        const record = await cache.record(name, id)
        if (record) this.#show(scope, name, [record])
        else if (record === null) this.#screen.delete(recordKey(name, id))
      }
    }
  }

  #show(scope: Scope, name: string, records: readonly ReplicaRecord[]): void {
    if (!this.#isShown(scope)) return
    this.#changed = true
    for (const record of records) this.#screen.set(recordKey(name, record.id), record)
  }

  #isShown(scope: Scope): boolean {
    return (
      scope.user_id === this.#scope?.user_id &&
      scope.organisation_id === this.#scope.organisation_id
    )
  }

  /** Checks I8 against what this context shows now. */
  readScreen(): void {
    if (!this.#changed || this.state !== 'live' || !this.#scope) return
    this.#changed = false
    const { ledger } = this.device
    // The user is signed out and this context has not been notified yet: what it shows does not count.
    if (ledger.session?.user.id !== this.#scope.user_id) return this.#log.clear()
    this.#log.check(this.#scope, this.engine.state.operations.get(), this.#screen)
  }
}
