// The users as which a server of root runs PostgreSQL, which refuses to run as root.
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { sha256 } from '../../hash.ts'
import { clusterFolder } from './folders.ts'
import { workingDirectoryOf } from './processes.ts'

export interface User {
  uid: number
  gid: number
}

/** Ids that no system gives to anyone: https://systemd.io/UIDS-GIDS/ */
const FIRST_ID = 60_706
const LAST_ID = 61_183
/** initdb asks for the name of its user. Every Unix system has this one. */
const NAMED = 'nobody'

/**
 * Who runs PostgreSQL (`user`) and who creates its folder (`creator`): the owner of the data folder. If that is root,
 * the user is an id that nothing else has, because processes of one user can read each other's files through `/proc`.
 * The creator is then `nobody` in the group of that id, which no other process of `nobody` is in: `/proc` compares both
 * (ptrace(2)).
 */
export function unprivilegedUsers(dataDir: string): { user: User; creator: User } {
  const { uid, gid } = statSync(dataDir)
  if (uid !== 0) return { user: { uid, gid }, creator: { uid, gid } }
  const named = idsIn('/etc/passwd').get(NAMED)
  if (named === undefined) throw new Error(`there is no user ${NAMED}`)
  const id = ownId(realpathSync(dataDir))
  return { user: { uid: id, gid: id }, creator: { uid: named, gid: id } }
}

/** The id that the folder of the database has, else one that follows from its path; the next one if it is taken. */
function ownId(dataDir: string): number {
  const count = LAST_ID - FIRST_ID + 1
  const owner = statSync(clusterFolder(dataDir), { throwIfNoEntry: false })?.uid ?? 0
  const isKept = owner >= FIRST_ID && owner <= LAST_ID
  const first = isKept ? owner - FIRST_ID : sha256(dataDir).readUInt32BE() % count
  const taken = takenIds(dataDir)
  for (let at = 0; at < count; at += 1) {
    const id = FIRST_ID + ((first + at) % count)
    if (!taken.has(id)) return id
  }
  throw new Error('no user id is free')
}

/** Ids with a name, and those of processes, except of a PostgreSQL that a killed server left in this data folder. */
function takenIds(dataDir: string): Set<number> {
  const named = ['/etc/passwd', '/etc/group'].flatMap((file) => [...idsIn(file).values()])
  if (process.platform !== 'linux') return new Set(named)
  const running = readdirSync('/proc').flatMap((name) => {
    const uid = statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid ?? 0
    if (!/^\d+$/.test(name) || uid < FIRST_ID || uid > LAST_ID) return []
    const directory = workingDirectoryOf(Number(name))
    return directory === undefined || directory.startsWith(`${dataDir}/`) ? [] : [uid]
  })
  return new Set([...named, ...running])
}

/** The ids in a file such as `/etc/passwd`, by name. */
const idsIn = (file: string): Map<string, number> =>
  new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , id]) => [name, Number(id)]),
  )
