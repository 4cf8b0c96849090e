// One simulated device with its contexts, its network and the ledger of what happened on it.
import { engineTable } from '../../../contract/engine-table.ts'
import { Context, type Mutation } from './context.ts'
import { DeviceBase } from './device-base.ts'
import type { LedgerEntry } from './record-types.ts'
import type { BuildTable } from './earlier-build.ts'
import { Ledger } from './ledger.ts'
import { BATCH } from './model/batch.ts'
import { openStream } from './model/event-stream.ts'
import type { ModelServer } from './model-server.ts'
import type { SimulatedEnvironment } from './simulated-environment.ts'

export class SimulatedDevice extends DeviceBase<Context> {
  readonly ledger: Ledger
  readonly server: ModelServer
  readonly mutation: Mutation
  /** Set while the app was updated and tabs of the build before may run on. */
  earlierBuild: BuildTable | undefined

  constructor(world: SimulatedEnvironment, name: string, server: ModelServer, mutation: Mutation) {
    const ledger = new Ledger(world, server)
    super(
      world,
      name,
      {
        handle: (request, now, answerPart) => {
          if (request.url !== BATCH) ledger.requestArrived(request, server.tokens, now)
          return server.handle(request, now, (part, answer, index) =>
            answerPart(
              part,
              () => {
                ledger.requestArrived(part, server.tokens, now)
                return answer()
              },
              index,
            ),
          )
        },
        openStream: (owner, stream) => openStream(world, server, owner, stream),
      },
      ledger,
    )
    this.ledger = ledger
    this.server = server
    this.mutation = mutation
  }

  protected contextNamed(name: string, kind: 'tab' | 'worker'): Context {
    const isEarlier = this.earlierBuild && this.world.stories.withProbability(0.5)
    const build = isEarlier ? this.earlierBuild : undefined
    if (build) this.world.log(name, () => 'runs the earlier build')
    return new Context(this, name, { kind, build: build ?? engineTable })
  }

  /** Every tab and worker of the earlier build ends, and none is opened again. */
  endEarlierBuild(): void {
    const { earlierBuild } = this
    this.earlierBuild = undefined
    if (earlierBuild)
      for (const context of this.contexts) if (context.build === earlierBuild) this.kill(context)
  }

  override kill(context: Context): void {
    super.kill(context)
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

  override freeze(context: Context): void {
    super.freeze(context)
    this.ledger.allowEarlyRetries()
  }

  override thaw(context: Context): void {
    if (context.state === 'frozen') context.thawedAt = this.world.now
    super.thaw(context)
  }

  isDeleted(place: string, entry: LedgerEntry): boolean {
    return [place.split('/')[1], ...entry.mentions].some((id) =>
      this.server.deletedRecords.has(id ?? ''),
    )
  }
}
