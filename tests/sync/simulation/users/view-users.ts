// Users who name views, rename them, delete them and bring them back.
import type { SimulatedDevice } from '../random-device.ts'
import { tabWithReplica } from './take-back.ts'

export class ViewUsers {
  readonly #device: SimulatedDevice
  readonly #newText: () => string
  /** By user and organisation. */
  readonly #made = new Map<string, string[]>()

  constructor(device: SimulatedDevice, newText: () => string) {
    this.#device = device
    this.#newText = newText
  }

  /** Changes a view in a random tab; often several times in a row. */
  work(): void {
    const { rng } = this.#device.world
    const place = tabWithReplica(this.#device)
    const user_id = place?.tab.engine.session.caller()?.user_id
    if (!place || user_id === undefined) return
    const { tab, organisation_id } = place
    const key = `${user_id} ${organisation_id}`
    const made = this.#made.get(key) ?? []
    this.#made.set(key, made)
    const isNew = made.length === 0 || rng.withProbability(0.3)
    const fresh = isNew ? this.#device.newId() : undefined
    if (fresh !== undefined) made.push(fresh)
    const id = fresh ?? (rng.withProbability(0.5) ? made.at(-1) : rng.pick(made))
    if (id === undefined) return
    const steps = 1 + rng.integerBelow(3)
    for (let done = 0; done < steps; done += 1) {
      const isDeleted = !(isNew && done === 0) && rng.withProbability(0.25)
      const body = { name: this.#newText(), search: `status=${rng.integerBelow(5)}` }
      const endpoint = isDeleted ? 'deleteSavedView' : 'putSavedView'
      const input = { path: { id }, ...(!isDeleted && { body }) }
      void tab.enqueue(endpoint, input).catch(() => undefined)
    }
  }
}
