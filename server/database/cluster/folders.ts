// Where PostgreSQL's files are.
import { join } from 'node:path'

/** The folder of the database. It exists once it is complete. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres')

/** The folder of a database that is being made. */
export const unfinishedCluster = (dataDir: string): string => `${clusterFolder(dataDir)}.new`
