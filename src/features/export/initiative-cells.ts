import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import type { Cell } from '../import/csv.ts'
import { initiativeColumns as columns } from './messages.ts'

interface InitiativeNames {
  plan: string | null | undefined
  account: string | null | undefined
  owner: string | null | undefined
}

/** The cells of an initiative in every CSV file. */
export const initiativeCells = (
  initiative: Initiative,
  { plan, account, owner }: InitiativeNames,
): [string, Cell][] => [
  [columns.title, initiative.title],
  [columns.plan, plan ?? null],
  [columns.account, account ?? null],
  [columns.status, initiative.status],
  [columns.health, initiative.health],
  [columns.progress, initiative.progress],
  [columns.owner, owner ?? null],
  [columns.start, initiative.start_date],
  [columns.end, initiative.end_date],
  [columns.description, initiative.description],
]
