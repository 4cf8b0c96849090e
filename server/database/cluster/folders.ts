// Where the databases of a data folder are.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../errors/start-error.ts'

/** The folder of the database. It exists once it is complete. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres')

/** The folder of a database that is being made. */
export const unfinishedCluster = (dataDir: string): string => `${clusterFolder(dataDir)}.new`

/** The folder of the embedded database. */
export const embeddedFolder = (dataDir: string): string => join(dataDir, 'database')

/** There from right before a moved database is put in its place until the embedded one has its other name. */
export const moveMark = (dataDir: string): string => join(dataDir, 'moving-to-postgres')

/** An earlier version, which knows no PostgreSQL, was started after the move: either may be the newer one. */
export function twoDatabases(dataDir: string): StartError {
  const [one, other] = [clusterFolder(dataDir), embeddedFolder(dataDir)].map((folder) => {
    const file = statSync(join(folder, 'global/pg_control'), { throwIfNoEntry: false })
    return file ? `${folder} (last written ${file.mtime.toISOString()})` : folder
  })
  return new StartError(`DATA_DIR holds two databases, ${one} and ${other}. Move one away.`)
}
