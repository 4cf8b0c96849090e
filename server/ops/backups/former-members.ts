// Former members of a backup that was made before the server kept their names.
import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { migrationFiles, migrationNames } from '../../database/migrate.ts'

const MIGRATION = '021-former-members.sql'

/**
 * Does what that migration did with the rows of its time. `migrations`: those of the backup. A process of the
 * previous version may have written its names beside rows that a newer one had made: then they stay as they are.
 */
export async function fillFormerMembers(tx: Tx, migrations: readonly string[]): Promise<void> {
  if (migrations.includes(MIGRATION)) return
  const known = await tx.selectFrom('former_members').select('id').limit(1).executeTakeFirst()
  if (known) return
  const text = migrationFiles()[migrationNames().indexOf(MIGRATION)] ?? ''
  const [statement] = /^with [^;]+;$/m.exec(text) ?? []
  if (statement === undefined) throw new Error(`${MIGRATION} fills no table.`)
  await sql.raw(statement).execute(tx)
}
