// I15: what is one step for its user is stored in one transaction.
import { upcast } from '../../../../src/sync/core/operation.ts'
import { textOf } from '../model/request-rules.ts'
import type { SimulatedEnvironment } from '../simulated-environment.ts'
import type { Change } from '../simulated-storage.ts'

export class StepLog {
  readonly #world: SimulatedEnvironment
  /** By text of an edit: the number of edits in its step. */
  readonly #sizes = new Map<string, number>()

  constructor(world: SimulatedEnvironment) {
    this.#world = world
  }

  /** A user makes those edits as one step. */
  record(inputs: readonly { body?: unknown }[]): void {
    for (const { body } of inputs) this.#sizes.set(textOf(body), inputs.length)
  }

  /** A transaction is complete. `isKnown`: whether an operation with that text was stored before. */
  check(changes: readonly Change[], isKnown: (text: string) => boolean): void {
    const texts = changes
      .filter(({ table, before }) => table === 'operations' && before === undefined)
      .map(({ after }) => textOf(upcast(after)?.input.body))
      .filter((text) => this.#sizes.has(text) && !isKnown(text))
    const [first] = texts
    if (first !== undefined && texts.length !== this.#sizes.get(first))
      this.#world.fail('I15', `of the step with “${first}” only ${texts.length} were stored`)
  }
}
