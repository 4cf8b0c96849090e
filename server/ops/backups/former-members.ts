// Former members of a backup that was made before the server kept their names.
import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { migrationFiles, migrationNames } from '../../database/migrate.ts'

const MIGRATION = '021-former-members.sql'

/**
 * Applies that migration to the restored rows. `migrations`: those of the backup. Does nothing if the backup has rows
 * of former members, which a newer version has written beside the previous one.
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
