// A thread that writes the rows of the embedded database to a file, in the format of a backup.
import { workerData } from 'node:worker_threads'
import { openEmbeddedDatabase } from '../database/database.ts'
import { backUpBeforeMigrating } from './backup-before-migrating.ts'
import { dump, writeBackup } from './backup.ts'

const { dataDir, file } = workerData as { dataDir: string; file: string }
// It is migrated before it is read, and kept: with the backup the previous version can be returned to.
backUpBeforeMigrating(dataDir, true)
const database = await openEmbeddedDatabase(dataDir)
await writeBackup(file, (write) => dump(database, write))
await database.close()
