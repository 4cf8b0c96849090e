// A record that the server has never leaves the device, whatever could not be read of it.
import { engineTable } from '../../../../contract/engine-table.ts'
import type { Operation } from '../../../../src/sync/core/operation.ts'
import type { SimulatedEnvironment } from '../simulated-environment.ts'
import type { Change } from '../simulated-storage.ts'
import type { PlainModel } from './plain-model.ts'
import type { Table } from '../../../plain-server/plain-records.ts'

/** By collection of the device: the table of the server. */
export const TABLE_OF: Record<string, Table> = {
  accounts: 'accounts',
  success_plans: 'success-plans',
  success_plan_updates: 'updates',
  initiatives: 'initiatives',
  actions: 'actions',
}

const calls: Record<string, { collection?: string }> = engineTable.calls

/** The table that a call writes to. */
export const tableOf = ({ endpoint }: Pick<Operation, 'endpoint'>): Table | undefined =>
  TABLE_OF[calls[endpoint]?.collection ?? '']

const idsIn = (page: unknown): string[] =>
  Array.isArray(page) ? (page as { id: string }[]).map(({ id }) => id) : []

/** Checks a transaction that removes records from the copy. */
export function checkCopies(
  world: SimulatedEnvironment,
  model: PlainModel,
  changes: readonly Change[],
): void {
  const pages = changes.filter(({ table, key }) => table === 'cache' && TABLE_OF[key[2] ?? ''])
  // A sign-out or a full device removes copies as a whole.
  if (pages.every(({ after }) => after === undefined)) return
  for (const { key, before, after } of pages) {
    const table = TABLE_OF[key[2] ?? '']
    const left = new Set(idsIn(after))
    for (const id of idsIn(before))
      if (table && !left.has(id) && model.isThere(table, id))
        world.fail('I14', `${table} ${id} left the device, and the server has it`)
  }
}
