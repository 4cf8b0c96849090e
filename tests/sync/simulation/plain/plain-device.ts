// One simulated device in front of plain servers: its contexts, and what they share.
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import { DeviceBase } from '../device-base.ts'
import type { SimulatedEnvironment, SimulatedProcess } from '../simulated-environment.ts'
import { PlainLedger } from './plain-ledger.ts'
import type { PlainModel } from './plain-model.ts'
import { PlainTab, type PlainMutation } from './plain-tab.ts'

const NO_STREAM = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  text: '{"message":"Not found."}',
}

export class PlainDevice extends DeviceBase<PlainTab> {
  readonly models: readonly PlainModel[]
  readonly ledger: PlainLedger
  readonly mutation: PlainMutation
  /** The server that the configuration names. */
  model: PlainModel
  /** Whether forms of what was just made stay open for a while. */
  hasForms = false
  /** How many contexts are still to be killed right after they have stored an answer. */
  crashesLeft = 0
  /** Where each request goes. */
  readonly destinations = new WeakMap<NetworkRequest, PlainModel>()

  constructor(
    world: SimulatedEnvironment,
    name: string,
    models: readonly [PlainModel, ...PlainModel[]],
    mutation: PlainMutation,
  ) {
    const ledger = new PlainLedger(
      world,
      name,
      () => this.models,
      () => this.model.name,
    )
    super(
      world,
      name,
      {
        handle: (request, now) => {
          const model = this.destinations.get(request) ?? this.model
          ledger.requestArrived(model, request)
          return model.handle(request, now)
        },
        openStream: () => Promise.resolve(NO_STREAM),
      },
      ledger,
    )
    this.models = models
    this.model = models[0]
    this.mutation = mutation
    this.ledger = ledger
    ledger.onAcknowledged = (owner) => this.#crash(owner)
  }

  #crash(owner: SimulatedProcess): void {
    const { stories } = this.world
    if (this.crashesLeft === 0 || stories.withProbability(0.6)) return
    this.crashesLeft -= 1
    this.world.schedule(0, () => {
      const context = this.contexts.find((one) => one === owner)
      if (context) this.kill(context)
    })
  }

  protected contextNamed(name: string, kind: 'tab' | 'worker'): PlainTab {
    return new PlainTab(this, name, kind)
  }

  override kill(context: PlainTab): void {
    super.kill(context)
    this.ledger.died(context)
  }

  killBrowser(): void {
    for (const context of this.contexts) this.kill(context)
    this.local.kill()
  }
}
