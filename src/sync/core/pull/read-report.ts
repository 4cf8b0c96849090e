// What of a replica could not be read. Stored beside it, so that every tab can show it, also after a restart.
import type { UnreadValue } from '../../../../contract/schemas/read-records.ts'
import type { NotKept } from '../arrival/server-fields.ts'
import type { DownloadState } from '../observable.ts'
import type { Replica } from '../replica.ts'

/** What could not be read of the active organisation. */
export interface ReadReport {
  unread: readonly UnreadValue[]
  /** By collection: the status that its list was answered with; its last copy stays. */
  refused: Readonly<Record<string, number>>
  /** Lists of which the last reading got no page, or not all, as agreed; absent where there is none. */
  missed?: readonly string[]
}

/** The same, and what is not stored with it. */
export interface ServerReport extends ReadReport {
  /** Lists that were never read to their end, of which a part may be here; absent where there is none. */
  partial?: readonly string[]
  /** The fields that the server does not keep. */
  notKept: NotKept
}

/** Age and completeness of a replica, and what of it could not be read, as stored on the device. */
export interface ReplicaStatus {
  lastSyncedAt: number | null
  download: DownloadState
  report: Omit<ServerReport, 'notKept'>
}

const EMPTY_REPORT: ReadReport = { unread: [], refused: {} }

const REPORT_KEY = 'unread'
const MAX_VALUES = 500

/** The stored report of a replica. Rejects when storage fails. */
export const readReport = async (replica: Replica): Promise<ReadReport> =>
  ((await replica.getValue(REPORT_KEY)) as ReadReport | undefined) ?? EMPTY_REPORT

/** Collects what one pull could not read, and stores it together with what is still true of earlier ones. */
export class ReadReporter {
  readonly #unread: UnreadValue[] = []
  /** By collection: ids received in this pull. All of the collection, where it was read as a whole. */
  readonly #received = new Map<string, Set<string | null> | 'all'>()
  /** Undefined for a list that was read. What is in neither way known of a list stays as it was. */
  readonly #refused: Record<string, number | undefined> = {}
  #missed: readonly string[] = []

  /** Whether errors are told that may be over soon. */
  readonly tellsErrors: boolean

  constructor(tellsErrors = false) {
    this.tellsErrors = tellsErrors
  }

  /** A page was received. */
  addPage(
    collection: string,
    records: readonly { id: string }[],
    unread: readonly UnreadValue[],
  ): void {
    this.#unread.push(...unread)
    const received = this.#received.get(collection) ?? new Set()
    this.#received.set(collection, received)
    if (received === 'all') return
    for (const { id } of [...records, ...unread]) received.add(id)
  }

  /** A collection was read as a whole: what is stored about it is replaced. */
  setWhole(collection: string): void {
    this.#received.set(collection, 'all')
    this.#refused[collection] = undefined
  }

  /** Its list was answered with this status. */
  setRefused(collection: string, status: number): void {
    this.#refused[collection] = status
  }

  /** These lists were not read to their end, which a retry may do. */
  setMissed(collections: readonly string[]): void {
    if (this.tellsErrors) this.#missed = collections
  }

  /**
   * Stores the report where it changed. `isComplete`: nothing of the replica is missing, whatever lists were refused
   * before. Rejects when storage fails.
   */
  async store(replica: Replica, isComplete = false): Promise<void> {
    const before = await readReport(replica)
    const still = before.unread.filter(({ collection, id }) => {
      const received = this.#received.get(collection)
      return received !== 'all' && !received?.has(id)
    })
    const refused = Object.entries({ ...(!isComplete && before.refused), ...this.#refused })
    const { missed: missedBefore = [] } = isComplete ? {} : before
    const stillMissed = missedBefore.filter((name) => !(name in this.#refused))
    const missed = [...new Set([...stillMissed, ...this.#missed])]
    const report: ReadReport = {
      unread: [...still, ...this.#unread].slice(-MAX_VALUES),
      // Safe cast: the others are left out.
      refused: Object.fromEntries(refused.filter(([, status]) => status)) as Record<string, number>,
      ...(missed.length > 0 && { missed }),
    }
    if (JSON.stringify(report) !== JSON.stringify(before))
      await replica.setValue(REPORT_KEY, report)
  }
}
