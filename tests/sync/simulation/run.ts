// One simulation: people say things while faults fall as the seed has it; then the faults stop,
// everybody signs in once more, and the server must have what was confirmed.
import { upcast, withDependants, type Operation } from '../../../src/sync/operation.ts'
import type { Context, Mutation } from './context.ts'
import { Device } from './device-of-seed.ts'
import { happenings, type Happening } from './faults.ts'
import { ORGANISATIONS, USERS, type ServerSettings } from './model-server.ts'
import { People, trying } from './people.ts'
import { NO_WIRE_FAULTS } from './wire.ts'
import { World, type Violation } from './world.ts'

export interface Mutant extends Mutation {
  name: string
  server?: Partial<ServerSettings>
}

export interface Outcome {
  seed: number
  violation: Violation | undefined
  trace: readonly string[]
  steps: number
  kills: number
  confirmed: number
  applied: number
  refused: number
  refreshes: number
  signOuts: number
}

const MINUTE = 60_000
/** A simulation that takes more steps than this is going round in circles. */
const MOST_STEPS = 30_000

export async function simulate(seed: number, traced: boolean, mutant?: Mutant): Promise<Outcome> {
  const simulation = new Simulation(seed, traced, mutant)
  const { world, device } = simulation
  const unhandled = (error: unknown) => world.fail('unhandled', String(error))
  process.on('unhandledRejection', unhandled)
  await simulation.run()
  process.off('unhandledRejection', unhandled)
  const { violation, trace, steps } = world
  return { seed, violation, trace, steps, kills: device.kills, ...device.ledger.counts }
}

class Simulation {
  readonly world: World
  readonly device: Device
  readonly #people: People

  constructor(seed: number, traced: boolean, mutant?: Mutant) {
    this.world = new World(seed, traced)
    const { chance } = this.world
    const settings = {
      access_life: chance.happens(0.5) ? 15 * MINUTE : 20_000 + chance.below(100_000),
      key_life: 30 * 24 * 60 * MINUTE,
      page: 2 + chance.below(20),
      ...mutant?.server,
    }
    this.device = new Device(this.world, settings, mutant ?? {})
    this.#people = new People(this.device)
  }

  async run(): Promise<void> {
    const { device, world } = this
    const { chance } = world
    device.open('tab')
    if (chance.happens(0.8)) device.open('tab')
    if (chance.happens(0.5)) device.open('worker')
    await this.#signIn(chance.pick(USERS), chance.pick(ORGANISATIONS))
    await this.#sayAndSuffer(happenings(device, this.#people), 8 + chance.below(24))
    this.#endFaults()
    for (const user_id of USERS) await this.#drain(user_id)
    if (!world.violation) this.#compare()
  }

  /** Steps until `isDone`, or until that much time is gone; whether it was done. */
  async #until(isDone: () => boolean, patience: number): Promise<boolean> {
    const { world, device } = this
    const end = world.now + patience
    while (!world.violation && !isDone()) {
      if (!(await world.step(end))) return isDone()
      if (world.steps > MOST_STEPS) world.fail('I9', 'it never comes to rest')
      for (const context of device.contexts) context.look()
    }
    return true
  }

  async #signIn(user_id: string, organisation_id: string): Promise<void> {
    const tab = this.device.tabs[0] ?? this.device.open('tab')
    let over = false
    trying(tab.engine, (engine) =>
      engine.signIn(user_id, `secret of ${user_id}`).finally(() => (over = true)),
    )
    await this.#until(() => over, MINUTE)
    this.#people.choose(tab, organisation_id)
    await this.#until(
      () => tab.engine.session.current().session?.active_organisation?.id === organisation_id,
      MINUTE,
    )
  }

  async #sayAndSuffer(may: Happening[], count: number): Promise<void> {
    const { chance } = this.world
    const all = may.reduce((sum, [share]) => sum + share, 0)
    const pace = 500 + chance.below(5_000)
    for (let done = 0; done < count && !this.world.violation; done += 1) {
      let at = chance.fraction() * all
      const chosen = may.find(([share]) => (at -= share) < 0)
      chosen?.[1]()
      // Now and then two things at once.
      await this.#until(
        () => false,
        chance.happens(0.3) ? chance.below(30) : chance.between(0, 2 * pace),
      )
    }
  }

  #endFaults(): void {
    const { device, world } = this
    world.note('device', () => 'all faults stop')
    device.wire.faults = NO_WIRE_FAULTS
    device.wire.up = true
    device.store.faults.aborts = 0
    device.store.faults.full = false
    device.server.forbidden.clear()
    for (const context of device.contexts) device.thaw(context)
    // Enough to go on with: one that was there all the time, and whoever works behind it.
    for (const context of device.contexts.slice(2)) device.kill(context)
  }

  /** I9: with that user signed in and no fault, the queue empties. */
  async #drain(user_id: string): Promise<void> {
    const { device, world } = this
    const tab = device.tabs[0] ?? device.open('tab')
    // Whatever was still under way when the faults stopped comes to an end first.
    await this.#until(() => false, 2 * MINUTE)
    const kept = device.ledger.session
    if (kept?.active_organisation && !device.server.tokens.isGood(kept.refresh_token))
      world.fail('I10', `${kept.user.id} is still signed in, with a token that is refused`)
    const { session } = tab.engine.session.current()
    if (session && session.user.id !== user_id) {
      trying(tab.engine, (engine) => engine.signOut('keep'))
      await this.#until(() => !tab.engine.session.current().session, MINUTE)
    }
    if (session?.user.id !== user_id || !session.active_organisation)
      await this.#signIn(user_id, ORGANISATIONS[0])
    for (const organisation_id of ORGANISATIONS) {
      this.#people.choose(tab, organisation_id)
      await this.#until(() => this.#waiting(user_id, organisation_id).length === 0, 15 * MINUTE)
    }
    const left = ORGANISATIONS.flatMap((id) => this.#waiting(user_id, id))
    if (left.length > 0)
      world.fail('I9', `${left.map(({ id, state }) => `${id} is ${state}`).join(', ')} for ever`)
    await this.#until(() => false, MINUTE)
    if (!world.violation) this.#compareCopy(tab, user_id)
  }

  /** What of a user is still to be sent, or to be read back, in an organisation. */
  #waiting(user_id: string, organisation_id: string): Operation[] {
    const stored = this.device.store.values('operations').map(upcast)
    const operations = stored.filter((one) => one !== undefined)
    const stuck = new Set<string>()
    for (const one of operations)
      if (one.state === 'attention')
        for (const id of withDependants(operations, one.id)) stuck.add(id)
    return operations.filter(
      (one) =>
        one.user_id === user_id &&
        (one.organisation_id ?? organisation_id) === organisation_id &&
        !stuck.has(one.id),
    )
  }

  /** The copy on the device says that it is whole, so it has what the server has. */
  #compareCopy(tab: Context, user_id: string): void {
    const organisation_id = tab.engine.cache()?.scope.organisation_id ?? ''
    const tenant = this.device.server.tenants.get(organisation_id)
    const pages = new Map<string, unknown>()
    const keys = this.device.store.keys('cache')
    for (const [index, value] of this.device.store.values('cache').entries()) {
      const key = keys[index]
      if (key?.[0] === user_id && key[1] === organisation_id && Array.isArray(value))
        for (const record of value as { id: string }[]) pages.set(`${key[2]} ${record.id}`, record)
    }
    for (const [name, records] of Object.entries(tenant?.records ?? {}))
      for (const { id, version } of records.values())
        if ((pages.get(`${name} ${id}`) as { version?: number } | undefined)?.version !== version)
          this.world.fail('copy', `${name} ${id} of ${organisation_id} is not on the device`)
  }

  /** Each confirmed operation took effect once, or waits for somebody to look at it, with its text. */
  #compare(): void {
    const stored = new Map(
      this.device.store.values('operations').map((one) => [upcast(one)?.id, upcast(one)]),
    )
    for (const entry of this.device.ledger.entries.values()) {
      if (!entry.confirmed || entry.withdrawn) continue
      const operation = stored.get(entry.id)
      if (entry.applied === 0 && !operation)
        this.world.fail('I1', `“${entry.text}” is neither on the server nor on the device`)
      if (operation?.state === 'attention' && !operation.last_error?.message)
        this.world.fail('I1', `“${entry.text}” needs attention and does not say why`)
    }
  }
}
