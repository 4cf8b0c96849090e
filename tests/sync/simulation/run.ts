// One simulation: users work while the seed's faults happen; then the faults stop, every user signs in
// again, and the server must have everything that was confirmed.
import { isDeepStrictEqual } from 'node:util'
import { upcast, type Operation } from '../../../src/sync/core/operation.ts'
import { engineTable } from '../../../contract/engine-table.ts'
import { idsAwaitingAuthor } from '../awaiting-author.ts'
import type { Context, Mutation } from './context.ts'
import { SimulatedDevice } from './random-device.ts'
import { tableBefore, UPDATES, type BuildTable } from './earlier-build.ts'
import { events, type WeightedEvent } from './faults.ts'
import { ModelServer, ORGANISATIONS, USERS, type ServerSettings } from './model-server.ts'
import { isDone } from './ledger/deletions.ts'
import { wrongView } from './ledger/saved-views.ts'
import { SimulatedUsers, attempt } from './simulated-users.ts'
import { NO_NETWORK_FAULTS } from './simulated-network.ts'
import { Rng, SimulatedEnvironment, type Violation } from './simulated-environment.ts'

export interface Mutant extends Mutation {
  name: string
  server?: Partial<ServerSettings>
  /** Which build runs beside the present one, for a bug that few stories show. */
  earlierBuild?: BuildTable
  /** How often many plans are changed and renewals are moved, for a bug that few stories show. */
  steps?: number
}

export interface Outcome {
  seed: number
  violation: Violation | undefined
  trace: readonly string[]
  steps: number
  kills: number
  confirmed: number
  applied: number
  rejected: number
  conflicts: number
  refreshes: number
  signOuts: number
}

/** Enqueued by a newer build that the user has rolled back. */
const NEWER_OPERATION = { id: 'newer', v: 2, seq: 1, note: 'in a newer format' }

const MINUTE = 60_000
/** How often resolving a conflict may lead to another conflict. */
const MAX_CONFLICTS = 12
/** A simulation with more steps than this does not terminate. */
const MAX_STEPS = 200_000

export async function simulate(seed: number, traced: boolean, mutant?: Mutant): Promise<Outcome> {
  const simulation = new Simulation(seed, traced, mutant)
  const { world, devices } = simulation
  const unhandled = (error: unknown) => world.fail('unhandled', String(error))
  process.on('unhandledRejection', unhandled)
  await simulation.run()
  process.off('unhandledRejection', unhandled)
  const { violation, trace, steps } = world
  const sum = (count: (device: SimulatedDevice) => number) =>
    devices.reduce((all, device) => all + count(device), 0)
  return {
    seed,
    violation,
    trace,
    steps,
    kills: sum(({ kills }) => kills),
    confirmed: sum(({ ledger }) => ledger.counts.confirmed),
    applied: sum(({ ledger }) => ledger.counts.effectApplied),
    rejected: sum(({ ledger }) => ledger.counts.refused),
    conflicts: sum(({ ledger }) => ledger.counts.asked),
    refreshes: sum(({ ledger }) => ledger.tokens.refreshes),
    signOuts: sum(({ ledger }) => ledger.tokens.signOuts),
  }
}

class Simulation {
  readonly world: SimulatedEnvironment
  readonly devices: SimulatedDevice[]
  readonly #users = new Map<SimulatedDevice, SimulatedUsers>()
  /** See `events`. */
  readonly #later: { trips: number; steps: number; views: number }

  constructor(seed: number, traced: boolean, mutant?: Mutant) {
    this.world = new SimulatedEnvironment(seed, traced)
    const { rng: chance } = this.world
    // Of their own, as they came later than the stories of the noted seeds.
    const later = new Rng(-seed)
    const settings = {
      access_life: chance.withProbability(0.5)
        ? 15 * MINUTE
        : 20_000 + chance.integerBelow(100_000),
      key_life: 30 * 24 * 60 * MINUTE,
      page: 2 + chance.integerBelow(20),
      lists_only: chance.withProbability(0.1),
      has_events: chance.withProbability(0.5),
      has_batch: later.withProbability(0.8),
      ...mutant?.server,
    }
    const trips = later.withProbability(0.3) ? 3 : 0
    const steps = later.withProbability(0.3) ? 5 : 0
    const views = later.withProbability(0.3) ? 5 : 0
    this.#later = { trips, steps: mutant?.steps ?? steps, views }
    const server = new ModelServer(settings, (effect) => {
      const hasKey = ({ ledger }: SimulatedDevice) => ledger.entries.has(effect.key ?? '')
      const hasText = ({ ledger }: SimulatedDevice) => ledger.isKnown(effect)
      const from = this.devices.find(hasKey) ?? this.devices.find(hasText) ?? this.devices[0]
      from?.ledger.applied(effect)
    })
    const names = chance.withProbability(0.3) ? ['a', 'b'] : ['a']
    this.devices = names.map((name) => new SimulatedDevice(this.world, name, server, mutant ?? {}))
    for (const device of this.devices) this.#users.set(device, new SimulatedUsers(device))
    const isUpdated = later.withProbability(0.25)
    const earlier = isUpdated ? tableBefore(later.pick(UPDATES)) : undefined
    for (const device of this.devices) device.earlierBuild = mutant?.earlierBuild ?? earlier
  }

  async run(): Promise<void> {
    const { devices, world } = this
    const { rng: chance } = world
    for (const device of devices) {
      device.store.putForeign('operations', NEWER_OPERATION.id, NEWER_OPERATION)
      device.open('tab')
      if (chance.withProbability(0.8)) device.open('tab')
      if (chance.withProbability(0.5)) device.open('worker')
      await this.#signIn(device, chance.pick(USERS), chance.pick(ORGANISATIONS))
    }
    const may = [...this.#users].flatMap(([device, people]) => events(device, people, this.#later))
    await this.#runWithFaults(may, 8 + chance.integerBelow(24) * devices.length)
    for (const device of devices) this.#endFaults(device)
    for (const device of devices) for (const user_id of USERS) await this.#drain(device, user_id)
    if (!world.violation) for (const device of devices) this.#compare(device)
  }

  /** Steps until `isDone`, or until that much time has passed; returns whether it was done. */
  async #until(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
    const { world, devices } = this
    const end = world.now + timeoutMs
    while (!world.violation && !isDone()) {
      if (!(await world.step(end))) return isDone()
      if (world.steps > MAX_STEPS) world.fail('I9', 'it does not terminate')
      for (const { contexts } of devices) for (const context of contexts) context.readScreen()
    }
    return true
  }

  async #signIn(device: SimulatedDevice, user_id: string, organisation_id: string): Promise<void> {
    const tab = device.tabs[0] ?? device.open('tab')
    let over = false
    attempt(tab.engine, (engine) =>
      engine
        .signIn({
          grant_type: 'password',
          username: user_id,
          password: `secret of ${user_id}`,
        })
        .finally(() => (over = true)),
    )
    await this.#until(() => over, MINUTE)
    this.#users.get(device)?.choose(tab, organisation_id)
    await this.#until(
      () => tab.engine.session.current().session?.active_organisation?.id === organisation_id,
      MINUTE,
    )
  }

  async #runWithFaults(eligible: WeightedEvent[], count: number): Promise<void> {
    const { rng: chance } = this.world
    const all = eligible.reduce((sum, [share]) => sum + share, 0)
    const pace = 500 + chance.integerBelow(5_000)
    for (let done = 0; done < count && !this.world.violation; done += 1) {
      let at = chance.fraction() * all
      const chosen = eligible.find(([share]) => (at -= share) < 0)
      chosen?.[1]()
      // Sometimes two events happen at nearly the same time.
      await this.#until(
        () => false,
        chance.withProbability(0.3) ? chance.integerBelow(30) : chance.numberBetween(0, 2 * pace),
      )
    }
  }

  #endFaults(device: SimulatedDevice): void {
    this.world.log(device.name, () => 'all faults stop')
    device.network.faults = NO_NETWORK_FAULTS
    device.network.up = true
    device.network.savesData = false
    device.store.faults.aborts = 0
    device.store.faults.full = false
    device.store.faults.closed = false
    device.server.forbidden.clear()
    device.endEarlierBuild()
    for (const context of device.contexts) device.thaw(context)
    // Two contexts are enough to continue: a tab from the start, and one more.
    for (const context of device.contexts.slice(2)) device.kill(context)
  }

  /** I9: with that user signed in and no faults, the queue empties. */
  async #drain(device: SimulatedDevice, user_id: string): Promise<void> {
    const { world } = this
    const tab = device.tabs[0] ?? device.open('tab')
    // Requests that were in flight when the faults stopped end first.
    await this.#until(() => false, 3 * MINUTE)
    const refused = () => {
      const stored = device.ledger.session
      const isValid = stored && device.server.tokens.isValid(stored.refresh_token)
      return stored?.active_organisation && !isValid ? stored.user.id : undefined
    }
    // A tab at rest that reads lists asks every fifteen minutes, and learns only then that its tokens have ended.
    if (tab.engine.puller.usesLists) await this.#until(() => !refused(), 16 * MINUTE)
    if (refused())
      world.fail('I10', `${refused()} is still signed in, with a token that is refused`)
    const { session } = tab.engine.session.current()
    if (session && session.user.id !== user_id) {
      attempt(tab.engine, (engine) => engine.signOut('keep'))
      await this.#until(() => !tab.engine.session.current().session, MINUTE)
    }
    if (session?.user.id !== user_id || !session.active_organisation)
      await this.#signIn(device, user_id, ORGANISATIONS[0])
    const people = this.#users.get(device)
    // An action that is gone leaves with the second reading of its list, which is read every fifteen minutes at rest.
    const limitMs = (tab.engine.puller.usesLists ? 31 : 15) * MINUTE
    for (const organisation_id of ORGANISATIONS) {
      people?.choose(tab, organisation_id)
      const waiting = () => this.#waiting(device, user_id, organisation_id)
      await this.#until(() => waiting().length === 0, limitMs)
      // Conflicts are resolved. A resolution may lead to another conflict, up to a limit.
      for (
        let round = 0;
        people?.resolveAllConflicts(tab, user_id, organisation_id) === true;
        round += 1
      ) {
        if (round > MAX_CONFLICTS) world.fail('I9', 'conflicts do not end')
        await this.#until(() => false, 10_000)
        await this.#until(() => waiting().length === 0, limitMs)
        if (world.violation) return
      }
      await this.#until(() => false, MINUTE / 2)
    }
    const left = ORGANISATIONS.flatMap((id) => this.#waiting(device, user_id, id))
    if (left.length > 0)
      world.fail('I9', `${left.map(({ id, state }) => `${id} is ${state}`).join(', ')} for ever`)
    // Without `changes` what others have done since is known after whole readings, as above.
    const readings = tab.engine.puller.usesLists ? 3 : 1
    for (let reading = 0; reading < readings; reading += 1) {
      if (readings > 1) attempt(tab.engine, ({ pullScheduler }) => pullScheduler.pullAgain())
      await this.#until(() => false, MINUTE)
    }
    if (!world.violation) this.#compareCopy(device, tab, user_id)
  }

  /** A user's operations in an organisation that are not sent, or not pulled yet. */
  #waiting(device: SimulatedDevice, user_id: string, organisation_id: string): Operation[] {
    const stored = device.store.values('operations').map(upcast)
    const operations = stored.filter((one) => one !== undefined)
    const stuck = idsAwaitingAuthor(operations, engineTable.calls)
    return operations.filter(
      (one) =>
        one.user_id === user_id &&
        (one.organisation_id ?? organisation_id) === organisation_id &&
        !stuck.has(one.id),
    )
  }

  /** The replica is marked as complete, so it must equal the server's records. */
  #compareCopy({ server, store }: SimulatedDevice, tab: Context, user_id: string): void {
    const organisation_id = tab.engine.activeReplica()?.scope.organisation_id ?? ''
    const tenant = server.tenants.get(organisation_id)
    const pages = new Map<string, unknown>()
    const keys = store.keys('cache')
    for (const [index, value] of store.values('cache').entries()) {
      const key = keys[index]
      // Values stored by name are no records.
      if (key?.[2]?.startsWith('=')) continue
      if (key?.[0] === user_id && key[1] === organisation_id && Array.isArray(value))
        for (const record of value as { id: string }[]) pages.set(`${key[2]} ${record.id}`, record)
    }
    for (const [name, records] of Object.entries(tenant?.records ?? {})) {
      // Memberships come without a version.
      if (name === 'organisation_users') continue
      for (const { id, version } of records.values())
        if ((pages.get(`${name} ${id}`) as { version?: number } | undefined)?.version !== version)
          this.world.fail('I14', `${name} ${id} of ${organisation_id} is not on the device`)
    }
    for (const place of pages.keys()) {
      const [name = '', id = ''] = place.split(' ')
      const known: Record<string, Map<string, unknown>> | undefined = tenant?.records
      if (known?.[name]?.has(id) !== true)
        this.world.fail('I14', `${place} of ${organisation_id} is on the device only`)
    }
  }

  /** Each confirmed operation took effect once, or needs attention with its text. */
  #compare(device: SimulatedDevice): void {
    const { ledger, store } = device
    const stored = new Map(store.values('operations').map((one) => [upcast(one)?.id, upcast(one)]))
    const newer = store.values('operations').find((one) => isDeepStrictEqual(one, NEWER_OPERATION))
    if (!newer) this.world.fail('I1', 'the operation of a newer build was changed')
    for (const entry of ledger.entries.values()) {
      if (!entry.confirmed || entry.discarded) continue
      const operation = stored.get(entry.id)
      if (!isDone(entry, device.server) && !operation)
        this.world.fail('I1', `“${entry.text}” is neither on the server nor on the device`)
      const { code, message, status } = operation?.last_error ?? {}
      if (operation?.state === 'attention' && !code && !message && status !== 0)
        this.world.fail('I1', `“${entry.text}” needs attention and does not say why`)
    }
    const view = wrongView(ledger.entries.values(), device.server)
    if (view) this.world.fail('I3', view)
  }
}
