// What the devices of both simulations have in common, whatever server they are in front of.
import type { SimulatedProcess, SimulatedEnvironment } from './simulated-environment.ts'
import { SimulatedChannel, SimulatedLocalStorage, SimulatedLocks } from './simulated-device.ts'
import {
  SimulatedNetwork,
  type AnsweringServer,
  type NetworkObserver,
} from './simulated-network.ts'
import { SimulatedStorage, type Change } from './simulated-storage.ts'

interface DeviceObserver extends NetworkObserver {
  /** `keys` returns the keys of the replica. */
  transactionCommitted: (
    owner: SimulatedProcess,
    changes: readonly Change[],
    keys: () => readonly unknown[],
  ) => void
}

export abstract class DeviceBase<
  Context extends SimulatedProcess & { readonly kind: 'tab' | 'worker'; start: () => void },
> {
  readonly name: string
  readonly world: SimulatedEnvironment
  readonly network: SimulatedNetwork
  readonly store: SimulatedStorage
  readonly locks: SimulatedLocks
  readonly channel: SimulatedChannel
  readonly local: SimulatedLocalStorage
  /** How far the device's clock is off, in milliseconds. */
  clockOffset = 0
  contexts: Context[] = []
  kills = 0
  #ids = 0
  #made = 0

  constructor(
    world: SimulatedEnvironment,
    name: string,
    server: AnsweringServer,
    observer: DeviceObserver,
  ) {
    this.world = world
    this.name = name
    this.network = new SimulatedNetwork(world, server, observer)
    this.store = new SimulatedStorage(world, (owner, changes) =>
      observer.transactionCommitted(owner, changes, () => this.store.keys('cache')),
    )
    this.locks = new SimulatedLocks(world)
    this.channel = new SimulatedChannel(world)
    this.local = new SimulatedLocalStorage(world)
  }

  protected abstract contextNamed(name: string, kind: 'tab' | 'worker'): Context

  /** A UUID with the device and a number, see DEVICE_ID. */
  newId(): string {
    this.#ids += 1
    return `0000000${this.name}-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`
  }

  open(kind: 'tab' | 'worker'): Context {
    this.#made += 1
    const context = this.contextNamed(`${this.name}-${kind}-${this.#made}`, kind)
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
  }

  freeze(context: Context): void {
    this.world.log(context.name, () => 'freezes')
    context.state = 'frozen'
  }

  thaw(context: Context): void {
    if (context.state !== 'frozen') return
    this.world.log(context.name, () => 'thaws')
    this.world.thaw(context)
  }

  /** Tabs that a user can use now. */
  get tabs(): Context[] {
    return this.contexts.filter(({ kind, state }) => kind === 'tab' && state === 'live')
  }
}
