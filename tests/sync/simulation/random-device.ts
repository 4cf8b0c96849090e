// One simulated device with its contexts, its network and the ledger of what happened on it.
import { Context, type Mutation } from './context.ts'
import { SimulatedChannel, SimulatedLocalStorage, SimulatedLocks } from './simulated-device.ts'
import { SimulatedStorage } from './simulated-storage.ts'
import type { LedgerEntry } from './record-types.ts'
import { Ledger } from './ledger.ts'
import { openStream } from './model/event-stream.ts'
import type { ModelServer } from './model-server.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import type { SimulatedEnvironment } from './simulated-environment.ts'

export class SimulatedDevice {
  readonly name: string
  readonly world: SimulatedEnvironment
  readonly ledger: Ledger
  readonly server: ModelServer
  readonly network: SimulatedNetwork
  readonly store: SimulatedStorage
  readonly locks: SimulatedLocks
  readonly channel: SimulatedChannel
  readonly local: SimulatedLocalStorage
  readonly mutation: Mutation
  /** How far the device's clock is off, in milliseconds. */
  clockOffset = 0
  contexts: Context[] = []
  kills = 0
  #ids = 0
  #made = 0

  constructor(world: SimulatedEnvironment, name: string, server: ModelServer, mutation: Mutation) {
    this.world = world
    this.name = name
    this.server = server
    this.mutation = mutation
    this.ledger = new Ledger(world, server)
    this.network = new SimulatedNetwork(
      world,
      {
        handle: (request, now) => {
          this.ledger.requestArrived(request, server.tokens, now)
          return server.handle(request, now)
        },
        openStream: (owner, stream) => openStream(world, server, owner, stream),
      },
      this.ledger,
    )
    this.store = new SimulatedStorage(world, (owner, changes) =>
      this.ledger.transactionCommitted(owner, changes, () => this.store.keys('cache')),
    )
    this.locks = new SimulatedLocks(world)
    this.channel = new SimulatedChannel(world)
    this.local = new SimulatedLocalStorage(world)
  }

  newId(): string {
    this.#ids += 1
    return `${this.name}-${String(this.#ids).padStart(4, '0')}`
  }

  open(kind: 'tab' | 'worker'): Context {
    this.#made += 1
    const context = new Context(this, `${this.name}-${kind}-${this.#made}`, kind)
    this.contexts.push(context)
    this.world.log(context.name, () => 'opens')
    context.start()
    return context
  }

  /** Ends a context at once, in the middle of its work. */
  kill(context: Context): void {
    this.world.log(context.name, () => 'is killed')
    this.kills += 1
    context.state = 'dead'
    this.contexts = this.contexts.filter((other) => other !== context)
    this.store.kill(context)
    this.locks.kill(context)
    this.ledger.allowEarlyRetries()
  }

  /** Kills the whole browser; with `power` the machine loses power, and unflushed writes may be lost. */
  killBrowser(power: boolean): void {
    for (const context of this.contexts) this.kill(context)
    this.local.kill()
    if (power) this.store.cutPower()
    this.world.log(this.name, () => (power ? 'loses power' : 'kills the browser'))
    this.ledger.checkSurvivors(this.store.values('operations'))
  }

  freeze(context: Context): void {
    this.world.log(context.name, () => 'freezes')
    context.state = 'frozen'
    this.ledger.allowEarlyRetries()
  }

  thaw(context: Context): void {
    if (context.state !== 'frozen') return
    this.world.log(context.name, () => 'thaws')
    context.thawedAt = this.world.now
    this.world.thaw(context)
  }

  /** Tabs that a user can use now. */
  get tabs(): Context[] {
    return this.contexts.filter(({ kind, state }) => kind === 'tab' && state === 'live')
  }

  isDeleted(place: string, entry: LedgerEntry): boolean {
    return [place.split('/')[1], ...entry.mentions].some((id) =>
      this.server.deletedRecords.has(id ?? ''),
    )
  }
}
