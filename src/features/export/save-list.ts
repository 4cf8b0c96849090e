import type { ResourceName } from '../../../contract/resources.ts'
import { mayLack } from '../../data/record-queries.ts'
import { areNamesRead, readNames } from './read-names.ts'
import type { NameOf } from '../../data/record-id.ts'
import { sync } from '../../sync/client.ts'
import { dismissToasts, toast } from '../../ui/overlay/toast.tsx'
import { saveTextFile } from '../../ui/platform/save-text-file.ts'
import { exportMessages as messages } from './messages.ts'

/**
 * Saves a list as a CSV file and says so, with the words `exported`, and what of it could not be read. Waits for the
 * names that are still being read, because an import takes an empty cell for "none". Works offline.
 */
export async function saveList(
  collection: ResourceName,
  fileName: string,
  csvOf: (nameOf: NameOf) => string | Promise<string>,
  exported: string,
): Promise<void> {
  if (!areNamesRead()) toast(messages.waiting)
  try {
    saveTextFile(fileName, await csvOf(await readNames()), 'text/csv')
  } finally {
    dismissToasts(messages.waiting)
  }
  const report = sync().readReport.get()
  const isRead =
    !mayLack(collection, report) && report.unread.every((value) => value.collection !== collection)
  if (sync().lastSyncedAt.get() === null) toast(messages.incomplete(exported))
  else toast(isRead ? exported : messages.unread(exported))
}
