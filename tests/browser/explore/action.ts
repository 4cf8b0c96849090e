// What an action of an exploration is given, and what it is.
import type { Page } from 'playwright-core'
import type { Choice, Weighted } from './choice.ts'
import type { Device } from './device.ts'
import type { Ledger } from './ledger.ts'
import type { View } from './view.ts'

/** The state at the start of a step. */
export interface Situation {
  device: Device
  page: Page
  view: View
  choice: Choice
  ledger: Ledger
  step: number
  seed: number
}

/** One thing that the user may do now. `key` is what the trace shows. */
export interface Action extends Weighted {
  run: () => Promise<void>
}
