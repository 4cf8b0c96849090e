import type { Messages } from '../../../contract/text/catalogue.ts'
import { labelOf } from '../../ui/text/format.ts'

const spaced = (word: string) => word.replaceAll('-', ' ')

/** What the states of plans, initiatives, actions and accounts are called, known ones and others. */
export const statusMessages = {
  status: spaced,
  statusOption: (status: string) => labelOf(status),
  health: (health: string) => labelOf(health),
} as const satisfies Messages
