// One context in front of a plain server: a tab with an engine and its screens, or the worker. Checks I8: what
// a screen has shown as saved stays on it until the server's record is there.
import { engineTable } from '../../../../contract/engine-table.ts'
import {
  readStoredSession,
  writeStoredSession,
} from '../../../../src/sync/browser/session-storage.ts'
import { shownVersion } from '../../../../src/sync/core/conflicts/shown-version.ts'
import { Engine } from '../../../../src/sync/core/engine.ts'
import { EngineState } from '../../../../src/sync/core/observable.ts'
import { editOf, type Operation } from '../../../../src/sync/core/operation.ts'
import type { CallInput, NetworkResponse, Ports } from '../../../../src/sync/core/ports.ts'
import { OpenPolling } from '../../../../src/sync/core/pull/open-polling.ts'
import type { Replica, ReplicaRecord } from '../../../../src/sync/core/replica.ts'
import type { SimulatedProcess } from '../simulated-environment.ts'
import { portsOf, recordKey, SimulatedScreen, SimulatedWorker, TOKEN } from '../simulated-screen.ts'
import { isDeletion } from './plain-deletions.ts'
import { cleaned } from './cleaned-text.ts'
import type { PlainRecord } from '../../../plain-server/plain-records.ts'
import type { PlainDevice } from './plain-device.ts'
import type { PlainModel } from './plain-model.ts'
import { textOf } from './plain-ledger.ts'
import { checkCause, duringRound } from './request-causes.ts'

const POLL_MS = 60_000
const UNDO_MS = 8_000

/** What users make, edit and delete: the collections of the device. */
export type Kind = 'accounts' | 'success_plans' | 'initiatives' | 'actions'

/** A planted bug: changes the ports before the engine exists, or the engine after it. */
export interface PlainMutation {
  ports?: (ports: Ports, context: PlainTab) => void
  engine?: (engine: Engine, context: PlainTab) => void
  /** The share of updates in the words of the last one: a quarter, unless the bug shows only there. */
  repeated?: number
}

/** Whether the screens of that user and organisation show an operation. */
const isOf = (scope: Replica['scope'] | undefined, one: Operation): boolean =>
  one.user_id === scope?.user_id && one.organisation_id === scope.organisation_id

/** The collection of the record that an operation changes. */
const editedTable = ({ endpoint }: Operation, calls: Ports['calls']): string =>
  endpoint === 'postPlanUpdate' ? 'success_plans' : (calls[endpoint]?.collection ?? '')

export class PlainTab implements SimulatedProcess {
  readonly name: string
  readonly kind: 'tab' | 'worker'
  readonly engine: Engine
  readonly ports: Ports
  readonly #polling: OpenPolling
  readonly device: PlainDevice
  /** The server that the configuration named when it was opened. */
  readonly model: PlainModel
  state: SimulatedProcess['state'] = 'live'
  readonly #screen = new SimulatedScreen()
  readonly #worker = new SimulatedWorker()
  #shown = new Map<string, number>()
  /** As of the last look: a tab that was frozen may show a state older than that. */
  #evictions = 0
  /** The lists that validated answers have named since the last reading. */
  #named: Set<string | null> | undefined

  constructor(device: PlainDevice, name: string, kind: 'tab' | 'worker') {
    this.device = device
    this.name = name
    this.kind = kind
    this.model = device.model
    const network = device.network.of(this)
    this.ports = portsOf(device, this, {
      baseUrl: this.model.name,
      network: {
        ...network,
        exchange: async (request) => {
          device.destinations.set(request, this.model)
          checkCause(device, request)
          const response = await network.exchange(request)
          this.#note(request.method, request.url, response)
          return response
        },
      },
    })
    device.mutation.ports?.(this.ports, this)
    this.engine = new Engine({
      ...engineTable,
      token: TOKEN,
      ports: this.ports,
      state: new EngineState(),
      onChanged: (scope, touched) => this.#screen.repaint(this.engine, scope, touched),
      schedule: (wait, work) => device.world.schedule(wait, work, this),
    })
    device.mutation.engine?.(this.engine, this)
    const { http, puller, pullScheduler } = this.engine
    this.#polling = new OpenPolling({ http, puller, pullScheduler, sources: engineTable.sources })
  }

  /** What a validated answer to a read says about the server; any 2xx may confirm it. */
  #note(method: string, url: string, response: NetworkResponse): void {
    const { status } = response
    if (status >= 300 || response.header('content-type')?.startsWith('application/json') !== true)
      return
    if (url === '/oauth/token') return
    const named = response.header('cairn-capabilities')
    // Of anything else than a list, the answer may be one that is not understood.
    const isSure = method === 'GET' && /\/(accounts|success-plans|initiatives|actions)\?/.test(url)
    if (isSure) this.#named = new Set([named])
    else this.#named?.add(named)
  }

  /** The network may be back. */
  wake(): void {
    if (this.kind === 'tab') this.engine.wake()
    else this.#worker.wake(this.device.world, this.ports, this)
  }

  start(): void {
    if (this.kind === 'worker') return this.wake()
    const { engine, device } = this
    const storage = device.local.asStorage()
    engine.session.subscribe((kept) => {
      writeStoredSession(storage, kept)
      this.#named = undefined
      if (this.#screen.follow(engine)) this.#shown.clear()
    })
    engine.state.operations.subscribe(() => (this.#screen.changed = true))
    engine.subscription.setVisible(true)
    void engine.start(readStoredSession(storage)).catch(() => engine.wake())
    this.#poll()
  }

  /** As the page does: once a minute, while nothing announces changes. */
  #poll(): void {
    this.device.world.schedule(
      POLL_MS,
      () => {
        this.engine.wake()
        if (this.engine.state.connection.get() !== 'offline')
          void this.#readOpen().catch(() => undefined)
        this.#poll()
      },
      this,
    )
  }

  /** The list and a plan are open: a different plan each minute, as users look around. */
  async #readOpen(): Promise<void> {
    const replica = this.engine.activeReplica()
    const plans = (await replica?.collection('success_plans')) ?? []
    if (!replica || plans.length === 0) return
    const { id: key } = this.device.world.rng.pick(plans)
    const poll = () =>
      this.#polling.poll(replica, [
        { kind: 'partition', name: 'success_plan_updates', key },
        { kind: 'record', name: 'success_plans', key },
        { kind: 'collection', name: 'success_plans', key: '' },
      ])
    await duringRound(poll)
  }

  /** The record as this tab shows it, under its present id; undefined when it shows none. */
  shown(name: string, id: string): (ReplicaRecord & { id: string }) | undefined {
    const { calls } = this.ports
    const now = this.engine.state.aliases.get().get(id)?.id ?? id
    const operations = this.engine.state.operations
      .get()
      .filter((one) => isOf(this.#screen.scope, one) && one.state !== 'attention')
    const created = operations.find(
      (one) => calls[one.endpoint]?.offlinePolicy?.creates?.(one.input) === now,
    )
    const copy =
      this.#screen.records.get(recordKey(name, now)) ??
      (created && ({ status: 'planned', ...(created.input.body as object) } as never))
    if (!copy) return undefined
    const { success_plan_id, initiative_id } = copy as Record<string, unknown>
    const deleted = operations
      .filter(isDeletion)
      .map((one) => recordKey(editedTable(one, calls), one.input.path?.id ?? ''))
    // With its parent it leaves the screen at once.
    const isDeleted = [
      recordKey(name, now),
      recordKey('success_plans', String(success_plan_id)),
      recordKey('initiatives', String(initiative_id)),
    ].some((one) => deleted.includes(one))
    if (isDeleted) return undefined
    // Records of two tables may have the same id.
    const own = operations.filter(
      (one) => editOf(one, calls)?.id === now && editedTable(one, calls) === name,
    )
    const version = shownVersion(copy, { version: Number(copy.version ?? 0) }, own)
    const seen: ReplicaRecord = { ...copy, id: now, version }
    for (const one of own) Object.assign(seen, editOf(one, calls)?.fields)
    return seen
  }

  /** The updates that this user has posted from elsewhere, as this tab shows them. */
  updatesFromElsewhere(): { plan_id: string; text: string }[] {
    return [...this.#screen.records.values()]
      .filter(({ user_id }) => user_id === this.#screen.scope?.user_id)
      .map((one) => ({ plan_id: String(one.success_plan_id), text: String(one.body) }))
      .filter(
        ({ plan_id, text }) => text.startsWith('elsewhere') && this.shown('success_plans', plan_id),
      )
  }

  /** Whether the server's record is on the screens: one that waits to be made cannot be deleted. */
  isStored(name: string, id: string): boolean {
    return this.#screen.records.has(recordKey(name, id))
  }

  /** Enqueues an operation; resolves when the screen may show "Saved on this device". */
  async enqueue(endpoint: string, input: CallInput, seen?: ReplicaRecord): Promise<void> {
    const { ledger } = this.device
    ledger.expect(input.body)
    const user_id = this.#screen.scope?.user_id
    if (seen && user_id !== undefined) {
      ledger.deletions.edits(user_id, input.body, seen)
      ledger.edits.writes(user_id, textOf(input.body), seen)
    }
    ledger.confirm(await this.engine.enqueue(endpoint, input, seen))
  }

  /** Deletes a record that it shows; resolves when the screen may show that. */
  async delete(
    endpoint: string,
    title: string,
    seen: { id: string } & ReplicaRecord,
  ): Promise<void> {
    const { ledger } = this.device
    ledger.deletions.expect(title, { ...seen })
    const input = { path: { id: seen.id }, body: { title } }
    ledger.confirm(await this.engine.enqueue(endpoint, input, seen, undefined, UNDO_MS))
  }

  /** Checks what this tab shows and knows now. */
  readScreen(): void {
    const { scope, records } = this.#screen
    if (this.state !== 'live' || !scope) return
    this.#checkCapabilities()
    if (!this.#screen.changed || this.#screen.isLoading) return
    this.#screen.changed = false
    const { ledger } = this.device
    if (ledger.session?.user.id !== scope.user_id) return this.#shown.clear()
    const present = new Set<string>()
    for (const { input, user_id, organisation_id } of this.engine.state.operations.get()) {
      const text = textOf(input.body)
      if (text === undefined || user_id !== scope.user_id) continue
      if (organisation_id !== scope.organisation_id) continue
      present.add(text)
      if (!this.#shown.has(text)) this.#shown.set(text, this.#evictions)
    }
    this.#evictions = ledger.evictions
    if ([...this.#shown.keys()].every((text) => present.has(text))) return
    const copied = new Set<unknown>()
    for (const { body, title, name, description } of records.values())
      for (const value of [body, title, name, description]) copied.add(cleaned(String(value)))
    for (const [text, evictions] of this.#shown) {
      if (present.has(text) || copied.has(text)) continue
      const said = ledger.said.get(text)
      const isGone = !said || said.discarded > 0 || said.wasReplaced
      const isExcused = isGone || evictions < ledger.evictions
      if (isExcused || !this.#isOnServer(text)) this.#shown.delete(text)
      else
        this.device.world.fail(
          'I8',
          `“${text}” vanished from ${this.name} before its copy had come`,
        )
    }
  }

  #isOnServer(text: string): boolean {
    const { tables } = this.model.api.records
    const first = this.device.ledger.said.get(text)?.first
    const shows = ({ body, title, name, description }: PlainRecord) =>
      [body, title, name, description].some((one) => cleaned(String(one)) === text)
    return Object.values(tables).some((table) =>
      table.some((one) => (!first || one === first) && shows(one)),
    )
  }

  /** What an error or a page says nothing about does not change what is known of the server. */
  #checkCapabilities(): void {
    const { list } = this.engine.http.capabilities
    if (this.#named === undefined || list === undefined) return
    if (![...this.#named].some((named) => (named ?? '') === list))
      this.device.world.fail(
        'capabilities',
        `${this.name} takes “${list}” for what the server has: ${[...this.#named].join(' or ')}`,
      )
  }
}
