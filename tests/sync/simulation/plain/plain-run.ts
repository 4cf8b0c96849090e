// One simulation in front of a server of the specification alone: users work while the seed's faults happen;
// then the faults stop, and what was said must be on the server, as often as it was said.
import { upcast, type Operation } from '../../../../src/sync/core/operation.ts'
import type { PlainOptions } from '../../../plain-server/plain-options.ts'
import type { Outcome } from '../run.ts'
import type { WeightedEvent } from '../faults.ts'
import { SimulatedEnvironment, type Rng } from '../simulated-environment.ts'
import { NO_NETWORK_FAULTS } from '../simulated-network.ts'
import { checkRest } from './attempt-limits.ts'
import { TABLE_OF } from './copy-log.ts'
import type { Table } from '../../../plain-server/plain-records.ts'
import { PlainDevice } from './plain-device.ts'
import { plainEvents } from './plain-faults.ts'
import { PlainModel } from './plain-model.ts'
import type { PlainMutation, PlainTab } from './plain-tab.ts'
import { attempt, PlainUsers } from './plain-users.ts'

export interface PlainMutant extends PlainMutation {
  name: string
}

const MINUTE = 60_000
/** The longest story known, of seed 53, takes 119,000. */
const MAX_STEPS = 200_000
/** In every so many stories the server has keys from the beginning, and forgets each after a while. */
const LIFETIME_EVERY = 8
const LIFETIME_SECONDS = 120
/** How often a person may be asked again about the same thing. */
const MAX_ROUNDS = 12

export async function simulatePlain(
  seed: number,
  traced: boolean,
  mutant: PlainMutation = {},
): Promise<Outcome> {
  const simulation = new PlainSimulation(seed, traced, mutant)
  const { world, devices } = simulation
  const unhandled = (error: unknown) =>
    world.fail('unhandled', error instanceof Error ? String(error.stack) : String(error))
  process.on('unhandledRejection', unhandled)
  await simulation.run()
  process.off('unhandledRejection', unhandled)
  const { violation, trace, steps } = world
  const sum = (count: (device: PlainDevice) => number) =>
    devices.reduce((all, device) => all + count(device), 0)
  return {
    seed,
    violation,
    trace,
    steps,
    kills: sum(({ kills }) => kills),
    confirmed: sum(({ ledger }) => ledger.counts.confirmed),
    applied: sum(({ ledger }) => ledger.counts.applied),
    rejected: 0,
    conflicts: sum(({ ledger }) => ledger.counts.asked),
    refreshes: sum(({ ledger }) => ledger.tokens.refreshes),
    signOuts: sum(({ ledger }) => ledger.tokens.signOuts),
  }
}

/** What the server of this seed is like beside; not drawn, so that the stories of the noted seeds stay as they are. */
const otherOptionsOf = (seed: number): Partial<PlainOptions> => ({
  ...(seed % 7 === 6 && { text: 'sanitised' }),
  ...(seed % 9 === 5 && { ids: 'large-integers' }),
  ...(seed % 9 === 7 && { oddities: { 'no-author': 'all' } }),
})

/** The server of this seed. */
const optionsOf = (rng: Rng, seed: number): Partial<PlainOptions> => ({
  ids: rng.withProbability(0.8) ? 'integers' : 'uuids',
  pageSize: 2 + rng.integerBelow(20),
  perPage: rng.pick(['ignored', 'refused', 'honoured']),
  pagination: rng.pick(['length-aware', 'simple', 'cursor']),
  writes: rng.withProbability(0.7) ? 'record' : rng.pick(['empty', 'message']),
  put: rng.pick(['merges', 'replaces']),
  unknownRoutes: rng.pick([401, 403, 404, 405, 501]),
  refusedRefresh: rng.withProbability(0.7) ? 'oauth' : 'message',
  accessTokenSeconds: rng.withProbability(0.5) ? 900 : 20 + rng.integerBelow(100),
  ...otherOptionsOf(seed),
})

class PlainSimulation {
  readonly world: SimulatedEnvironment
  readonly devices: PlainDevice[]
  readonly #users = new Map<PlainDevice, PlainUsers>()

  constructor(seed: number, traced: boolean, mutant: PlainMutation) {
    this.world = new SimulatedEnvironment(seed, traced)
    const { rng } = this.world
    const model = new PlainModel('plain', optionsOf(rng, seed))
    const models: [PlainModel, ...PlainModel[]] = [model]
    if (seed % LIFETIME_EVERY === 2) model.forgetKeysAfter(LIFETIME_SECONDS)
    if (rng.withProbability(0.15)) models.push(new PlainModel('other', optionsOf(rng, seed)))
    const names = rng.withProbability(0.3) ? ['a', 'b'] : ['a']
    this.devices = names.map((name) => new PlainDevice(this.world, name, models, mutant))
    for (const one of models)
      one.onEffect = (effect) => {
        const device = this.devices.find(({ destinations }) => destinations.has(effect.request))
        device?.ledger.applied(one, effect)
        for (const other of this.devices)
          if (other !== device) other.ledger.appliedElsewhere(effect)
      }
    for (const device of this.devices) this.#users.set(device, new PlainUsers(device))
  }

  async run(): Promise<void> {
    const { devices, world } = this
    const { rng } = world
    for (const device of devices) {
      device.open('tab')
      if (rng.withProbability(0.8)) device.open('tab')
      if (rng.withProbability(0.5)) device.open('worker')
      await this.#signIn(device, rng.pick(device.model.users).id)
    }
    const may = [...this.#users].flatMap(([device, users]) => plainEvents(device, users))
    await this.#runWithFaults(may, 8 + rng.integerBelow(24) * devices.length)
    for (const device of devices) this.#endFaults(device)
    for (const device of devices) await this.#drainAll(device)
    if (!world.violation)
      for (const { ledger } of devices) {
        this.#checkArrivals(ledger.said.values())
        ledger.checkRest()
      }
  }

  async #until(isDone: () => boolean, timeoutMs: number): Promise<void> {
    const { world, devices } = this
    const end = world.now + timeoutMs
    while (!world.violation && !isDone()) {
      if (!(await world.step(end))) return
      if (world.steps > MAX_STEPS) world.fail('I9', 'it does not terminate')
      for (const { contexts } of devices) for (const context of contexts) context.readScreen()
    }
  }

  async #signIn(device: PlainDevice, user_id: string): Promise<void> {
    const tab = device.tabs[0] ?? device.open('tab')
    const [organisation_id = ''] = device.model.organisations
    attempt(this.#of(device).signIn(tab, user_id, organisation_id))
    await this.#until(() => tab.engine.activeReplica()?.scope.user_id === user_id, MINUTE)
  }

  #of(device: PlainDevice): PlainUsers {
    const users = this.#users.get(device)
    if (!users) throw new Error('This device has no users.')
    return users
  }

  async #runWithFaults(eligible: WeightedEvent[], count: number): Promise<void> {
    const { rng } = this.world
    const all = eligible.reduce((sum, [share]) => sum + share, 0)
    const pace = 500 + rng.integerBelow(8_000)
    for (let done = 0; done < count && !this.world.violation; done += 1) {
      let at = rng.fraction() * all
      eligible.find(([share]) => (at -= share) < 0)?.[1]()
      const wait = rng.withProbability(0.3)
        ? rng.integerBelow(30)
        : rng.withProbability(0.05)
          ? rng.integerBelow(20) * MINUTE
          : rng.numberBetween(0, 2 * pace)
      await this.#until(() => false, wait)
    }
  }

  #endFaults(device: PlainDevice): void {
    this.world.log(device.name, () => 'all faults stop')
    device.network.faults = NO_NETWORK_FAULTS
    device.network.up = true
    device.store.faults.aborts = 0
    device.crashesLeft = 0
    for (const model of device.models) model.hideTitles(false)
    for (const context of device.contexts) device.thaw(context)
    for (const context of device.contexts.slice(2)) device.kill(context)
  }

  async #drainAll(device: PlainDevice): Promise<void> {
    const [first] = device.models
    for (const model of device.models.toReversed()) {
      if (device.model !== model) {
        device.killBrowser()
        device.model = model
        device.open('tab')
      }
      for (const { id } of model.users) await this.#drain(device, id)
    }
    if (!this.world.violation && device.model === first) await this.#rest(device)
  }

  /** I9: with that user signed in and no faults, the queue empties, and the copy is what the server has. */
  async #drain(device: PlainDevice, user_id: string): Promise<void> {
    const { world } = this
    const users = this.#of(device)
    const tab = device.tabs[0] ?? device.open('tab')
    await this.#until(() => false, 2 * MINUTE)
    const caller = tab.engine.session.caller()
    if (caller && caller.user_id !== user_id) {
      attempt(tab.engine.signOut('keep'))
      await this.#until(() => !tab.engine.session.caller(), MINUTE)
    }
    if (tab.engine.activeReplica()?.scope.user_id !== user_id) await this.#signIn(device, user_id)
    const waiting = () => this.#waiting(device, user_id)
    for (const organisation_id of tab.model.organisations) {
      users.choose(tab, organisation_id)
      await this.#until(() => false, 5_000)
      for (let round = 0; round <= MAX_ROUNDS; round += 1) {
        await this.#until(() => !waiting().some(({ state }) => state === 'pending'), 60 * MINUTE)
        await this.#until(() => this.#showsQuestions(tab, waiting()), MINUTE)
        const pending = waiting().filter(({ state }) => state === 'pending')
        const isBehind = pending.every((one) => this.#isBlocked(one, waiting()))
        if (!isBehind) break
        if (!users.decideAll(tab)) break
        await this.#until(() => false, 10_000)
        if (world.violation) return
      }
      if (world.violation) return
      // A refusal whose first half was a fault's.
      if (tab.engine.activeReplica()?.scope.user_id !== user_id)
        return await this.#drain(device, user_id)
      await this.#compareCopy(device, tab, organisation_id)
    }
    const left = waiting()
    const names = left.map(
      ({ id, state, endpoint, lane }) => `${endpoint} ${id} in ${lane} is ${state}`,
    )
    if (left.length > 0) world.fail('I9', names.join(', '))
  }

  /** Whether the tab shows all that needs a person: what was stored right now is shown a moment later. */
  #showsQuestions(tab: PlainTab, all: readonly Operation[]): boolean {
    const shown = tab.engine.state.operations.get()
    return all
      .filter(({ state }) => state === 'attention')
      .every(({ id }) => shown.some((one) => one.id === id && one.state === 'attention'))
  }

  #isBlocked(one: Operation, all: readonly Operation[]): boolean {
    return all.some(({ state }) => state === 'attention') && one.state === 'pending'
  }

  /** What a user has left to send at this server. */
  #waiting(device: PlainDevice, user_id: string): Operation[] {
    return device.store
      .values('operations')
      .map(upcast)
      .filter((one) => one !== undefined)
      .filter(
        (one) =>
          one.user_id === user_id && one.api === device.model.name && one.state !== 'acknowledged',
      )
  }

  /** I14: after a whole reading the device has the records of the server, and no others. */
  async #compareCopy(device: PlainDevice, tab: PlainTab, organisation_id: string): Promise<void> {
    const { world } = this
    const idsIn = (table: Table) => tab.model.records(table, organisation_id).map(({ id }) => id)
    let before = new Map<Table, string[]>()
    // An action that is gone leaves with the second whole reading.
    for (let reading = 0; reading < 3; reading += 1) {
      before = new Map(Object.values(TABLE_OF).map((table) => [table, idsIn(table)]))
      let isOver = false
      void tab.engine.pullScheduler.pullAgain().finally(() => (isOver = true))
      await this.#until(() => isOver, 5 * MINUTE)
    }
    const replica = tab.engine.activeReplica()
    if (!replica || world.violation) return
    const keys = device.store.keys('cache')
    const copies = new Map<string, Set<string>>()
    for (const [index, value] of device.store.values('cache').entries()) {
      const [user_id, organisation, name = ''] = keys[index] ?? []
      if (user_id !== replica.scope.user_id || organisation !== organisation_id) continue
      if (!TABLE_OF[name] || !Array.isArray(value)) continue
      const ids = copies.get(name) ?? new Set()
      copies.set(name, ids)
      for (const { id } of value as { id: string }[]) ids.add(id)
    }
    for (const [name, table] of Object.entries(TABLE_OF)) {
      const here = copies.get(name) ?? new Set()
      const there = new Set(idsIn(table))
      // Another device may make and delete records during the reading.
      const known = new Set(before.get(table))
      for (const id of here)
        if (!there.has(id) && !known.has(id))
          world.fail('I14', `${table} ${id} is on the device only`)
      // The updates of plans come when a plan is opened.
      for (const id of name === 'success_plan_updates' ? [] : there)
        if (!here.has(id) && known.has(id)) world.fail('I14', `${table} ${id} is not on the device`)
    }
  }

  /** I12: a context at rest asks for little, between two whole readings. */
  async #rest(device: PlainDevice): Promise<void> {
    for (const tab of device.tabs) attempt(tab.engine.pullScheduler.pull())
    await this.#until(() => false, 2 * MINUTE)
    const { requests } = device.ledger
    const from = requests.length
    await this.#until(() => false, 10 * MINUTE)
    checkRest(this.world, requests.slice(from))
  }

  /** I1: what was said is on the server, or was taken back. */
  #checkArrivals(
    all: Iterable<{ text: string; confirmed: number; records: number; discarded: number }>,
  ) {
    for (const { text, confirmed, records, discarded } of all)
      if (records + discarded < confirmed)
        this.world.fail('I1', `“${text}” is neither on the server nor on the device`)
  }
}
