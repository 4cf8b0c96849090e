// What the contexts of both simulations do alike: the ports of an engine, the records on the screens of a
// tab, and the replay of the worker.
import { engineTable } from '../../../contract/engine-table.ts'
import { mayLeave } from '../../../src/sync/core/arrival/attempt.ts'
import { Cancellation } from '../../../src/sync/core/change-subscription.ts'
import type { ReadCalls } from '../../../src/sync/core/arrival/lookup.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { ApiCalls, ChangedIds, Network, Ports } from '../../../src/sync/core/ports.ts'
import type { ReplicaRecord, Scope } from '../../../src/sync/core/replica.ts'
import { replayInBackground } from '../../../src/sync/core/replay/background-replay.ts'
import type { DeviceBase } from './device-base.ts'
import { Rng, type SimulatedEnvironment, type SimulatedProcess } from './simulated-environment.ts'

const COLLECTIONS = ['accounts', 'success_plans', 'initiatives', 'actions']

/** The sign-in of the simulated app. */
export const TOKEN = {
  ...engineTable.token,
  client: async () => ({ client_id: 'app' }),
  deviceTokens: () => '',
}

/** The key of a record on a screen: its collection and id. */
export const recordKey = (name: string, id: string): string => `${name}/${id}`

type OwnPorts = 'world' | 'clockOffset' | 'newId' | 'store' | 'locks' | 'channel'

/** The ports of one context of a device. The calls are its own, so that a planted bug changes only these. */
export function portsOf(
  device: Pick<DeviceBase<never>, OwnPorts>,
  owner: SimulatedProcess,
  api: { baseUrl: string; network: Network },
  calls: ApiCalls = engineTable.calls,
): Ports {
  const now = () => device.world.now + device.clockOffset
  const rng = new Rng(device.world.rng.integerBelow(2 ** 31))
  const { writeQuery } = engineTable
  return {
    clock: { now },
    random: { id: () => device.newId(), fraction: () => rng.fraction() },
    store: device.store.of(owner),
    locks: device.locks.of(owner),
    channel: device.channel.of(owner),
    network: {
      ...api.network,
      exchange: (request) =>
        mayLeave(now(), request)
          ? api.network.exchange(request)
          : Promise.reject(new Error('Too late')),
    },
    calls: Object.fromEntries(Object.entries(calls).map(([row, call]) => [row, { ...call }])),
    writeQuery,
    api: () => ({ baseUrl: api.baseUrl }),
  }
}

/** The worker, which only replays, once at a time, when the browser wakes it. */
export class SimulatedWorker {
  #isCalled = false

  wake(
    world: SimulatedEnvironment,
    ports: Ports,
    owner: SimulatedProcess,
    reads: ReadCalls = engineTable,
  ): void {
    if (this.#isCalled) return
    this.#isCalled = true
    const sleep = (wait: number) =>
      new Promise<void>((resolve) => void world.schedule(wait, resolve, owner))
    const last = world.rng.withProbability(0.3)
    const options = { last, sleep, signal: new Cancellation(), reads }
    void replayInBackground(ports, TOKEN, options)
      .catch(() => undefined)
      .finally(() => (this.#isCalled = false))
  }
}

/** The records on the screens of one tab. */
export class SimulatedScreen {
  /** By `recordKey`, of `scope`. */
  readonly records = new Map<string, ReplicaRecord>()
  scope: Scope | undefined
  /** Whether something has changed since the screens were checked. */
  changed = true
  /** The organisation is being read from the device: nothing of it is shown yet, so nothing can vanish. */
  isLoading = false
  #painted: Promise<void> = Promise.resolve()

  /** Follows the session; returns whether another organisation is shown now. */
  follow(engine: Engine): boolean {
    this.changed = true
    const scope = engine.activeReplica()?.scope
    if (scope?.user_id === this.scope?.user_id)
      if (scope?.organisation_id === this.scope?.organisation_id) return false
    this.scope = scope
    this.records.clear()
    this.isLoading = scope !== undefined
    if (scope)
      void this.#paint(() => this.#load(engine, scope))
        .catch(() => undefined)
        .finally(() => {
          if (!this.#isShown(scope)) return
          this.isLoading = false
          this.changed = true
        })
    return true
  }

  /** Shows what has changed in the replica. */
  repaint(engine: Engine, scope: Scope, touched: ChangedIds): Promise<void> {
    return this.#paint(() => this.#rerender(engine, scope, touched))
  }

  /** Runs renders one after another, as the screens are painted. */
  async #paint(work: () => Promise<void>): Promise<void> {
    const painted = this.#painted.then(work)
    this.#painted = painted.catch(() => undefined)
    await painted
  }

  async #load(engine: Engine, scope: Scope): Promise<void> {
    const replica = engine.replicaOf(scope)
    for (const name of COLLECTIONS) {
      const records = (await replica.collection(name)) ?? []
      this.#show(scope, name, records)
      if (name === 'success_plans')
        for (const { id } of records) await this.#loadUpdates(engine, scope, id)
    }
  }

  async #loadUpdates(engine: Engine, scope: Scope, plan_id: string): Promise<void> {
    const updates = await engine.replicaOf(scope).partition('success_plan_updates', plan_id)
    if (!updates) return
    for (const [place, record] of this.records)
      if (place.startsWith('success_plan_updates/') && record.success_plan_id === plan_id)
        this.records.delete(place)
    this.#show(scope, 'success_plan_updates', updates)
  }

  async #rerender(engine: Engine, scope: Scope, touched: ChangedIds): Promise<void> {
    if (!this.#isShown(scope)) return
    const replica = engine.replicaOf(scope)
    for (const [name, { ids, partitions }] of Object.entries(touched)) {
      for (const plan_id of partitions) await this.#loadUpdates(engine, scope, plan_id)
      if (partitions.length > 0) continue
      for (const id of ids) {
        const record = await replica.record(name, id)
        if (record) this.#show(scope, name, [record])
        else if (record === null) this.records.delete(recordKey(name, id))
      }
    }
  }

  #show(scope: Scope, name: string, records: readonly ReplicaRecord[]): void {
    if (!this.#isShown(scope)) return
    this.changed = true
    for (const record of records) this.records.set(recordKey(name, record.id), record)
  }

  #isShown(scope: Scope): boolean {
    return (
      scope.user_id === this.scope?.user_id && scope.organisation_id === this.scope.organisation_id
    )
  }
}
