// An empty database of the kind that this run is about.
import { inject } from 'vitest'
import { openDatabase, openPostgresDatabase, type Database } from '../../server/database.ts'
import { emptyImage } from './empty-image.ts'
import { newDatabase, urlsOf } from './postgres/databases.ts'

export async function emptyDatabase(): Promise<Database> {
  const postgres = inject('postgres')
  if (!postgres) return openDatabase(undefined, await emptyImage())
  return openPostgresDatabase(urlsOf(postgres.folder, await newDatabase(postgres.folder)))
}
