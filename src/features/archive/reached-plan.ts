import { closingFields, progressAtCompletion } from '../../../contract/rules.ts'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../contract/schemas/success-plans.ts'

/** An update to be posted, with the words of any server. */
export type Posted = Omit<SuccessPlanUpdateDraft, 'health' | 'outcome'> & {
  health?: string
  outcome?: string
}

/** Later than all: an update without a time is written when it arrives. */
const NOW = '9'

/** What a plan has after updates, by the rules of the server. */
export class ReachedPlan {
  progress: number
  health: string | null
  outcome: string | null
  close_note: string | null
  /** When the update that set it was written. */
  #progressAt: string
  #healthAt: string

  constructor(plan: Partial<SuccessPlan> & Pick<SuccessPlan, 'progress' | 'health'>) {
    this.progress = plan.progress
    this.health = plan.health
    this.outcome = plan.outcome ?? null
    this.close_note = plan.close_note ?? null
    this.#progressAt = this.#healthAt = plan.last_update_at ?? ''
  }

  post({ body, progress, health, status, outcome, written_at: at = NOW }: Posted): void {
    const stated =
      status === 'completed'
        ? progressAtCompletion(progress ?? this.progress, outcome ?? '')
        : progress
    if (stated !== undefined && at >= this.#progressAt) {
      this.progress = stated
      this.#progressAt = at
    }
    if (health !== undefined && at >= this.#healthAt) {
      this.health = health
      this.#healthAt = at
    }
    if (status) Object.assign(this, closingFields(status, { outcome, body }))
  }

  /** The time, or none where an update without one would count as later. */
  after(written_at: string): string | undefined {
    return this.#progressAt === NOW ? undefined : written_at
  }
}
