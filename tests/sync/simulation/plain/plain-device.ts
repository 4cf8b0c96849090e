// One simulated device in front of plain servers: its contexts, and what they share.
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import { SimulatedChannel, SimulatedLocalStorage, SimulatedLocks } from '../simulated-device.ts'
import type { SimulatedEnvironment } from '../simulated-environment.ts'
import { SimulatedNetwork } from '../simulated-network.ts'
import { SimulatedStorage } from '../simulated-storage.ts'
import { PlainLedger } from './plain-ledger.ts'
import type { PlainModel } from './plain-model.ts'
import { PlainTab, type PlainMutation } from './plain-tab.ts'

const NO_STREAM = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  text: '{"message":"Not found."}',
}

export class PlainDevice {
  readonly name: string
  readonly world: SimulatedEnvironment
  readonly models: readonly PlainModel[]
  readonly ledger: PlainLedger
  readonly network: SimulatedNetwork
  readonly store: SimulatedStorage
  readonly locks: SimulatedLocks
  readonly channel: SimulatedChannel
  readonly local: SimulatedLocalStorage
  readonly mutation: PlainMutation
  clockOffset = 0
  contexts: PlainTab[] = []
  kills = 0
  /** The server that the configuration names. */
  model: PlainModel
  /** Where each request goes. */
  readonly destinations = new WeakMap<NetworkRequest, PlainModel>()
  /** Which device each request is of. */
  #ids = 0
  #made = 0

  constructor(
    world: SimulatedEnvironment,
    name: string,
    models: readonly [PlainModel, ...PlainModel[]],
    mutation: PlainMutation,
  ) {
    this.world = world
    this.name = name
    this.models = models
    this.model = models[0]
    this.mutation = mutation
    this.ledger = new PlainLedger(
      world,
      name,
      () => this.models,
      () => this.model.name,
    )
    this.network = new SimulatedNetwork(
      world,
      {
        handle: (request, now) => {
          const model = this.destinations.get(request) ?? this.model
          this.ledger.requestArrived(model, request)
          return model.handle(request, now)
        },
        openStream: () => Promise.resolve(NO_STREAM),
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

  open(kind: 'tab' | 'worker'): PlainTab {
    this.#made += 1
    const context = new PlainTab(this, `${this.name}-${kind}-${this.#made}`, kind)
    this.contexts.push(context)
    this.world.log(context.name, () => `opens, for ${this.model.name}`)
    context.start()
    return context
  }

  kill(context: PlainTab): void {
    this.world.log(context.name, () => 'is killed')
    this.kills += 1
    context.state = 'dead'
    this.contexts = this.contexts.filter((other) => other !== context)
    this.store.kill(context)
    this.locks.kill(context)
    this.ledger.died(context)
  }

  killBrowser(): void {
    for (const context of this.contexts) this.kill(context)
    this.local.kill()
  }

  freeze(context: PlainTab): void {
    this.world.log(context.name, () => 'freezes')
    context.state = 'frozen'
  }

  thaw(context: PlainTab): void {
    if (context.state !== 'frozen') return
    this.world.log(context.name, () => 'thaws')
    this.world.thaw(context)
  }

  /** Tabs that a user can use now. */
  get tabs(): PlainTab[] {
    return this.contexts.filter(({ kind, state }) => kind === 'tab' && state === 'live')
  }
}
