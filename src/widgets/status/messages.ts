import type { Messages } from '../../../contract/text/catalogue.ts'
import { labelOf } from '../../ui/text/format.ts'

const spaced = (word: string) => word.replaceAll('-', ' ')

/** Labels of statuses and healths of all resources, including unknown ones. */
export const statusMessages = {
  status: spaced,
  statusOption: (status: string) => labelOf(status),
  health: (health: string) => labelOf(health),
} as const satisfies Messages
