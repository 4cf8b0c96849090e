// Which operations a user may remove without an effect, and for how long.
import type { Operation } from '../../../../src/sync/core/operation.ts'
import type { SimulatedProcess } from '../simulated-environment.ts'

/** Whether an operation may go; `stored`: the operations that the same transaction stores. */
type Allows = (operation: Operation, stored: readonly Operation[]) => boolean

export class Removals {
  #running: { owner: SimulatedProcess; allows: Allows }[] = []

  /**
   * Runs `work`, which removes operations for the user: until it has ended, these may disappear from that
   * context without an effect. A removal that failed allows nothing afterwards.
   */
  async during<T>(owner: SimulatedProcess, allows: Allows, work: () => Promise<T>): Promise<T> {
    const removal = { owner, allows }
    this.#running.push(removal)
    try {
      return await work()
    } finally {
      this.#running = this.#running.filter((other) => other !== removal)
    }
  }

  /** Whether that context may remove `operation` now. */
  allow(owner: SimulatedProcess, operation: Operation, stored: readonly Operation[]): boolean {
    return this.#running.some((one) => one.owner === owner && one.allows(operation, stored))
  }
}
